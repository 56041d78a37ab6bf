import type { Server } from 'node:http'
import type { TwilioSettings } from '../config.ts'
import { createExchange, type Exchange, type ExchangeOptions } from './exchange/exchange.ts'
import type { CallControl, Telephony } from './port.ts'
import type { Twilio, TwilioTools } from './twilio/adapter.ts'

export interface OpenedTelephony {
  readonly telephony: Telephony
  /** What it is called in the metrics. */
  readonly provider: 'exchange' | 'twilio'
  /** The network inside this server, where it is the one: its handsets are ours to serve. */
  readonly exchange: Exchange | undefined
  /** The vendor's, where it is the one: its requests are ours to answer. */
  readonly twilio: Twilio | undefined
  /** What is left of what calls are paid with beforehand, in US dollars; undefined: nothing is, or it is not told. */
  prepaidUsd(): Promise<number | undefined>
  /** Takes calls from now on. */
  open(control: CallControl, server: Server): void
  /** The calls that this process carries. */
  live(): readonly string[]
  /** Paths of the server that sockets may be opened on. */
  readonly socketPaths: readonly string[]
}

/** Chooses who carries the calls: Twilio where its account is configured, otherwise the local exchange. */
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
  // Only where it is used: the vendor's package takes a while to load.
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
