import type { Log } from '../http/log.ts'
import { createLocalPayments, type LocalPayments, type LocalPaymentsOptions } from './local/adapter.ts'
import type { Payments } from './port.ts'
import { createStripePayments, type StripeSettings } from './stripe/adapter.ts'

export interface OpenedPayments {
  readonly payments: Payments
  /** The local stand-in, if used; the server must serve its page and run its event delivery. */
  readonly local: LocalPayments | undefined
}

export function openPayments(
  { stripe }: { readonly stripe: StripeSettings | undefined },
  options: LocalPaymentsOptions & { readonly log: Log },
): OpenedPayments {
  if (stripe !== undefined) return { payments: createStripePayments(stripe, options), local: undefined }
  const local = createLocalPayments(options)
  return { payments: local, local }
}
