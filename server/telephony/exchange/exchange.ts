import type { IncomingMessage, Server } from 'node:http'
import { failure, type Result, success } from '#lib/result.ts'
import type { AddressOfSocket } from '../../http/socket-address.ts'
import type { Clock } from '../../process/clock.ts'
import { type Random, systemRandom } from '../../process/random.ts'
import type { CallControl, Telephony, VoiceCredential } from '../port.ts'
import type { CallObservation } from './call-contract.ts'
import type { FarSideOptions } from './far-side.ts'
import { Handsets } from './handsets.ts'
import { LocalSide } from './local-side.ts'
import type { Logger } from './logger.ts'
import type { MediaAddress } from './media/media-address.ts'
import { mediaAddresses, type UnnamedAddress } from './media/own-address.ts'
import { Switchboard } from './switchboard.ts'
import { isTestNumber, lineOf } from './test-numbers.ts'
import type { HandsetClaim } from './tokens.ts'
import { Verifications } from './verifications.ts'

export type { CallObservation } from './call-contract.ts'

export interface ExchangeOptions {
  readonly clock: Clock
  /** Signs voice tokens (HS256): 32 octets or more. */
  readonly secret: Uint8Array
  readonly log: Logger
  /** Base path on our server; the client opens `<path>/signal`. Default `/exchange`. */
  readonly path?: string
  /** Media address. Default: an address of this machine, chosen for each call; any port. */
  readonly address?: MediaAddress | UnnamedAddress
  readonly tokenTtlSeconds?: number
  readonly random?: Random
  /** Numbers shown for callers without a caller ID, E.164; the first unless another makes a call cheaper. */
  readonly publicNumbers?: readonly [string, ...string[]]
  readonly onForeignOrigin?: (request: IncomingMessage) => void
  /** Default: the address of the connection itself, as without a proxy. */
  readonly addressOf?: AddressOfSocket
}

export interface HandsetRequest {
  readonly number: string
  readonly whenCalled: HandsetClaim['whenCalled']
  /** Token of the handset's earlier claim, which keeps its place; an invalid one is ignored. */
  readonly token: string | undefined
}

/** The telephone network inside our own server: real signalling and audio for browsers, no vendor. */
export interface Exchange extends Telephony {
  /** Starts taking calls on the server's `<path>/signal`; ignores other upgrades. Once. */
  open(opening: { readonly control: CallControl; readonly server: Server }): void
  /** Diagnostics of a live call, or of one that ended in the last ten minutes. */
  observe(callId: string): CallObservation | undefined
  live(): readonly string[]
  claimNumber(request: HandsetRequest): Promise<Result<VoiceCredential, 'number_taken' | 'too_many_handsets'>>
  claims(): readonly HandsetClaim[]
}

const closingTimeoutMs = 5000

/** In the ranges that Ofcom and PTS reserve for drama, in London and Stockholm. */
const fictitiousNumbers = ['+442079460000', '+46846500400'] as const

/** @throws StartError when the bound address is not an IP address of this machine */
export function createExchange(options: ExchangeOptions): Exchange {
  const { clock, log, random = systemRandom, publicNumbers = fictitiousNumbers } = options
  const address = mediaAddresses(options.address)
  const handsets = new Handsets({ address, clock, random, log })
  const switchboard = new Switchboard({ ...options, random, address, handsets })
  let verifications: Verifications | undefined

  return {
    carriage: 'this_process',
    publicNumbers,

    open({ control, server }) {
      const lineBehind = (number: string) => handsets.lineOf(number) ?? lineOf(number)
      const farSide = (call: FarSideOptions) => new LocalSide({ address, lineOf: lineBehind }, call)
      switchboard.open({ control, server, farSide })
      verifications = new Verifications({
        ...{ clock, random, control, log, ticker: switchboard.ticker },
        lineOf: ({ number }) => lineBehind(number),
        from: publicNumbers[0],
      })
    },

    issueVoiceToken: (userId, sessionId) =>
      switchboard.issueCredential({ kind: 'caller', userId, sessionId }),

    async hangUp(callId, why) {
      switchboard.hangUp(callId, why)
    },

    async setLimit(callId, limitMs) {
      switchboard.setLimit(callId, limitMs)
    },

    isTestNumber,

    // Every outcome is reported.
    isVerified: async () => false,

    // The exchange stores no verified numbers.
    forgetNumber: async () => success(undefined),

    async verifyNumber(call) {
      return verifications?.call(call) ?? failure('unavailable')
    },

    async inspect(callId) {
      return switchboard.inspect(callId) ?? { kind: 'unknown' }
    },

    observe: callId => switchboard.observe(callId),

    live: () => switchboard.live(),

    async claimNumber({ number, whenCalled, token: earlier }) {
      const known = earlier === undefined ? undefined : await switchboard.tokens.handsetOf(earlier)
      const claim = { handsetId: known ?? random.uuid(), number, whenCalled }
      const claimed = handsets.claim(claim)
      if (!claimed.ok) return claimed
      return success(await switchboard.issueCredential({ kind: 'handset', ...claim }))
    },

    claims: () => handsets.claims(),

    async close() {
      const untold = verifications?.close(closingTimeoutMs)
      await switchboard.endCalls(closingTimeoutMs)
      await untold
      switchboard.closeSockets()
    },
  }
}
