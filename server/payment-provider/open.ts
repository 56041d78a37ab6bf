import type { Log } from '../http/log.ts'
import { createLocalPayments, type LocalPayments, type LocalPaymentsOptions } from './local/adapter.ts'
import type { Payments } from './port.ts'
import type { StripeSettings } from './stripe/adapter.ts'

export interface OpenedPayments {
  readonly payments: Payments
  /** The local stand-in, if used; the server must serve its page and run its event delivery. */
  readonly local: LocalPayments | undefined
}

export async function openPayments(
  { stripe }: { readonly stripe: StripeSettings | undefined },
  options: LocalPaymentsOptions & { readonly log: Log },
): Promise<OpenedPayments> {
  if (stripe !== undefined) {
    // Imported on demand: the provider's package takes time and memory to load.
    const { createStripePayments } = await import('./stripe/adapter.ts')
    return { payments: createStripePayments(stripe, options), local: undefined }
  }
  const local = createLocalPayments(options)
  return { payments: local, local }
}
