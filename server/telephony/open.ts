import type { Server } from 'node:http'
import type { Config } from '../config.ts'
import type { Random } from '../process/random.ts'
import type { CallCosts } from '../tariff/call-costs.ts'
import { createExchange, type Exchange, type ExchangeOptions } from './exchange/exchange.ts'
import type { CallControl, Telephony } from './port.ts'
import type { TrunkOptions } from './trunk/trunk.ts'
import type { TrunkBooks } from './trunk/trunk-books.ts'
import type { Twilio, TwilioTools } from './twilio/adapter.ts'

/** Where the voice client connects when our own server speaks with it. */
const socketPaths = ['/exchange/signal'] as const

export interface OpenedTelephony {
  readonly telephony: Telephony
  readonly provider: 'exchange' | 'twilio' | 'trunk'
  /** The local exchange, if it is in use: the server then serves its handsets. */
  readonly exchange: Exchange | undefined
  /** Twilio, if it is in use: the server then answers its webhooks. */
  readonly twilio: Twilio | undefined
  /** What calls cost, by the carriers' price lists; undefined where the release's own costs apply. */
  readonly costs: CallCosts | undefined
  /** Prepaid balance left at the carrier, in US dollars; undefined if there is none or it is unknown. */
  prepaidUsd(): Promise<number | undefined>
  open(control: CallControl, server: Server): void
  live(): readonly string[]
  readonly socketPaths: readonly string[]
}

export async function openTelephony(
  { twilio: settings, trunkFile, production }: Pick<Config, 'twilio' | 'trunkFile' | 'production'>,
  options: ExchangeOptions & TwilioTools & { readonly trunkBooks: TrunkBooks; readonly random: Random },
): Promise<OpenedTelephony> {
  if (trunkFile !== undefined) return openTrunk(trunkFile, production, options)
  if (settings === undefined) {
    const exchange = createExchange(options)
    return {
      telephony: exchange,
      provider: 'exchange',
      exchange,
      twilio: undefined,
      costs: undefined,
      prepaidUsd: async () => undefined,
      open: (control, server) => exchange.open({ control, server }),
      live: () => exchange.live(),
      socketPaths,
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
    costs: undefined,
    prepaidUsd: () => twilio.prepaidUsd(),
    open: control => twilio.open(control),
    live: () => [],
    socketPaths: [],
  }
}

async function openTrunk(
  file: string,
  production: boolean,
  options: Omit<TrunkOptions, 'books'> & { readonly trunkBooks: TrunkBooks },
): Promise<OpenedTelephony> {
  const [{ createTrunk }, { readCarrierPrices, trunkCosts }, { readTrunkFile, requireOwnMachine }] =
    await Promise.all([
      import('./trunk/trunk.ts'),
      import('./trunk/carrier-prices.ts'),
      import('./trunk/trunk-file.ts'),
    ])
  const settings = readTrunkFile(file)
  if (!production) requireOwnMachine(file, settings)
  const carriers = readCarrierPrices(settings)
  const trunk = createTrunk({ ...settings, carriers }, { ...options, books: options.trunkBooks })
  return {
    telephony: trunk,
    provider: 'trunk',
    exchange: undefined,
    twilio: undefined,
    costs: trunkCosts(carriers, settings.publicNumbers),
    prepaidUsd: async () => undefined,
    // An edge that is away must not keep the pages away.
    open: (control, server) => void trunk.open({ control, server }),
    live: () => trunk.live(),
    socketPaths,
  }
}
