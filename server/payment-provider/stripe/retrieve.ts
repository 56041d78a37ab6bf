import type Stripe from 'stripe'
import { failure, type Result, success } from '#lib/result.ts'
import type { ProviderTrouble } from '../port.ts'
import type { Ask } from './ask.ts'
import * as objects from './objects.ts'

export interface FoundIntent {
  readonly intent: objects.PaymentIntent
  readonly latestCharge: unknown
}

/** Fetches by id what an event omits. `unreadable`: found, but not in the documented form. */
export interface Retrieve {
  intent(intentRef: string): Promise<Result<FoundIntent, 'unreadable' | ProviderTrouble>>
  latestRefund(chargeRef: string): Promise<Result<objects.Refund | undefined, 'unreadable' | ProviderTrouble>>
}

export function createRetrieve(client: Stripe, ask: Ask): Retrieve {
  return {
    intent: async intentRef => {
      const found = await ask('retrieve payment intent', options =>
        client.paymentIntents.retrieve(intentRef, { expand: ['latest_charge'] }, options),
      )
      if (!found.ok) return found
      const intent = objects.paymentIntent.safeParse(found.value)
      if (!intent.success) return failure('unreadable')
      return success({ intent: intent.data, latestCharge: found.value.latest_charge })
    },
    latestRefund: async chargeRef => {
      const found = await ask('list refunds', options =>
        client.refunds.list({ charge: chargeRef, limit: 1 }, options),
      )
      if (!found.ok) return found
      const [latest] = found.value.data
      if (latest === undefined) return success(undefined)
      const refund = objects.refund.safeParse(latest)
      return refund.success ? success(refund.data) : failure('unreadable')
    },
  }
}
