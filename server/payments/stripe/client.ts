import Stripe from 'stripe'

/** The version of the API that this adapter is written for. The webhook endpoint should be set up with it too. */
export const apiVersion = '2026-10-28.endive'

/** Another place than Stripe's own, for tests. */
export interface StripeAddress {
  readonly host: string
  readonly port: number
  readonly protocol: 'http' | 'https'
}

/** @param address where the API is asked; Stripe's own unless named */
export function createStripeClient(secretKey: string, address?: StripeAddress): Stripe {
  return new Stripe(secretKey, {
    apiVersion,
    // `ask.ts` makes the further attempts: the package does not repeat what was refused for its rate.
    maxNetworkRetries: 0,
    telemetry: false,
    ...address,
  })
}

/** Whether a key moves real money. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey)
}

/** The header that an event's signature travels in. */
export const signatureHeader = 'stripe-signature'
