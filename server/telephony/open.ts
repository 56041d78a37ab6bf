import type { Server } from 'node:http'
import type { TwilioSettings } from '../config.ts'
import { createExchange, type Exchange, type ExchangeOptions } from './exchange/exchange.ts'
import type { CallControl, Telephony } from './port.ts'
import type { Twilio, TwilioTools } from './twilio/adapter.ts'

export interface OpenedTelephony {
  readonly telephony: Telephony
  readonly provider: 'exchange' | 'twilio'
  /** The local exchange, if it is in use: the server then serves its handsets. */
  readonly exchange: Exchange | undefined
  /** Twilio, if it is in use: the server then answers its webhooks. */
  readonly twilio: Twilio | undefined
  /** Prepaid balance left at the carrier, in US dollars; undefined if there is none or it is unknown. */
  prepaidUsd(): Promise<number | undefined>
  open(control: CallControl, server: Server): void
  live(): readonly string[]
  readonly socketPaths: readonly string[]
}

export async function openTelephony(
  { twilio: settings }: { readonly twilio: TwilioSettings | undefined },
  options: ExchangeOptions & TwilioTools,
): Promise<OpenedTelephony> {
  if (settings === undefined) {
    const exchange = createExchange(options)
    return {
      telephony: exchange,
      provider: 'exchange',
      exchange,
      twilio: undefined,
      prepaidUsd: async () => undefined,
      open: (control, server) => exchange.open({ control, server }),
      live: () => exchange.live(),
      socketPaths: ['/exchange/signal'],
    }
  }
  // Imported on demand: the vendor's package is slow to load.
  const { createTwilio } = await import('./twilio/adapter.ts')
  const twilio = createTwilio(settings, options)
  return {
    telephony: twilio,
    provider: 'twilio',
    exchange: undefined,
    twilio,
    prepaidUsd: () => twilio.prepaidUsd(),
    open: control => twilio.open(control),
    live: () => [],
    socketPaths: [],
  }
}
