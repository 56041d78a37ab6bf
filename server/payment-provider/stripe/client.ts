import Stripe from 'stripe'

/** The API version that this adapter is written for. Set up the webhook endpoint with the same one. */
export const apiVersion = '2026-10-28.endive'

/** Another API host, for tests. */
export interface StripeAddress {
  readonly host: string
  readonly port: number
  readonly protocol: 'http' | 'https'
}

export function createStripeClient(secretKey: string, address?: StripeAddress): Stripe {
  return new Stripe(secretKey, {
    apiVersion,
    // `ask.ts` retries: the package does not retry rate-limited requests.
    maxNetworkRetries: 0,
    telemetry: false,
    ...address,
  })
}

export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey)
}

export const signatureHeader = 'stripe-signature'
