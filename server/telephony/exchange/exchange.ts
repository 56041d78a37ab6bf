import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { WebSocket } from 'ws'
import { failure, type Result, success } from '#lib/result.ts'
import type { Clock } from '../../clock.ts'
import { type Random, systemRandom } from '../../random.ts'
import { StartError } from '../../start-error.ts'
import type {
  CallControl,
  CallEnd,
  CallInspection,
  HangUpReason,
  Telephony,
  VoiceCredential,
} from '../port.ts'
import type { ExchangeCall } from './call.ts'
import type { CallObservation } from './call-contract.ts'
import { CallerCalls } from './caller-calls.ts'
import { Handsets } from './handsets.ts'
import type { Logger } from './logger.ts'
import type { MediaAddress } from './media/media-address.ts'
import { Ticker } from './media/ticker.ts'
import { beatMs, type CallFrame, Session } from './session.ts'
import { isTestNumber, lineOf } from './test-numbers.ts'
import { createVoiceTokens, type HandsetClaim, type VoiceParty } from './tokens.ts'
import { acceptSockets } from './upgrade.ts'
import { Verifications } from './verifications.ts'

export type { CallObservation } from './call-contract.ts'

export interface ExchangeOptions {
  readonly clock: Clock
  /** Signs voice tokens (HS256): 32 octets or more. */
  readonly secret: Uint8Array
  readonly log: Logger
  /** Where the exchange lives on our server; the client opens `<path>/signal`. Default `/exchange`. */
  readonly path?: string
  /** Where audio is taken. Default: 127.0.0.1, any port. */
  readonly address?: MediaAddress
  /** Lifetime of a voice token. Default 600. */
  readonly tokenTtlSeconds?: number
  readonly random?: Random
  /** What a handset shows of a caller without a caller ID of their own, in E.164. */
  readonly publicNumber?: string
}

/** What a handset asks for. */
export interface HandsetRequest {
  /** E.164 with the plus. */
  readonly number: string
  readonly whenCalled: HandsetClaim['whenCalled']
  /** The token of an earlier claim by the same handset, which then keeps its place; a useless one is passed over. */
  readonly token: string | undefined
}

export interface ExchangeOpening {
  readonly control: CallControl
  readonly server: Server
}

/** The telephone network inside our own server: real signalling and audio for browsers, no vendor. */
export interface Exchange extends Telephony {
  /** Starts taking calls on the server's `<path>/signal`; its other upgrades are left alone. Once. */
  open(opening: ExchangeOpening): void
  /** Diagnostics of a live call, or of one that ended in the last ten minutes. */
  observe(callId: string): CallObservation | undefined
  /** The ids of the calls that live now. */
  live(): readonly string[]
  /** Gives a telephone in a browser tab a number: calls to it ring there from when it has registered. */
  claimNumber(request: HandsetRequest): Promise<Result<VoiceCredential, 'number_taken' | 'too_many_handsets'>>
  /** The numbers that handsets have claimed. */
  claims(): readonly HandsetClaim[]
}

const hangUpEnds: Readonly<Record<HangUpReason, CallEnd>> = {
  no_credits: 'limit',
  call_blocked: 'blocked',
  already_settled: 'server_stopping',
  limit: 'limit',
}

/** How long `close` waits for the call service to take the last reports. */
const closingTimeoutMs = 5000

/** In a range that Ofcom keeps free for drama: it reaches nobody. */
const fictitiousNumber = '+442079460000'

const loopback: MediaAddress = { bound: '127.0.0.1', advertised: '127.0.0.1', ports: undefined }

/** @throws StartError when the bound address is not an IP address of this machine. */
export function createExchange(options: ExchangeOptions): Exchange {
  const { clock, log, address = loopback, path = '/exchange', tokenTtlSeconds = 600 } = options
  const { random = systemRandom, publicNumber = fictitiousNumber } = options
  requireOwnAddress(address.bound)
  const tokens = createVoiceTokens({ secret: options.secret, ttlSeconds: tokenTtlSeconds, clock, random })
  const ticker = new Ticker()
  const sessions = new Set<Session>()
  const handsets = new Handsets({ address, clock, random, log, publicNumber })
  let calls: CallerCalls | undefined
  let verifications: Verifications | undefined
  let stop: () => void = () => undefined

  function onSocket(socket: WebSocket): void {
    const session = new Session(socket, {
      clock,
      log,
      verify: tokens.verify,
      onCallFrame,
      onRegister: (from, party) => party.kind === 'caller' || handsets.register(from, party),
      onUnregister: from => handsets.unregister(from),
      onExpired: from => handsets.away(from),
      onClosed: closed => {
        sessions.delete(closed)
        handsets.lost(closed)
        calls?.signallingLost(closed)
      },
    })
    sessions.add(session)
  }

  function onCallFrame(session: Session, party: VoiceParty, frame: CallFrame): void {
    if (party.kind === 'handset') handsets.onFrame(session, party.handsetId, frame)
    else calls?.onFrame(session, party.userId, frame)
  }

  return {
    carriage: 'this_process',

    open({ control, server }) {
      const stopAccepting = acceptSockets(server, `${path}/signal`, onSocket)
      const beat = setInterval(() => {
        for (const session of sessions) session.beat()
      }, beatMs)
      stop = () => {
        stopAccepting()
        clearInterval(beat)
      }
      const lineBehind = (number: string) => handsets.lineOf(number) ?? lineOf(number)
      calls = new CallerCalls({ address, clock, random, control, log, ticker, lineOf: lineBehind })
      verifications = new Verifications({ clock, random, control, log, ticker, lineOf: lineBehind })
    },

    async issueVoiceToken(userId) {
      const token = await tokens.issue({ kind: 'caller', userId })
      return { token, ttlSeconds: tokenTtlSeconds, route: { kind: 'exchange', path } }
    },

    async hangUp(callId, why) {
      calls?.find(callId)?.end(hangUpEnds[why])
    },

    async setLimit(callId, limitMs) {
      calls?.find(callId)?.setLimit(limitMs)
    },

    isTestNumber,

    // Its every outcome is told.
    isVerified: async () => false,

    // Nothing is known of a number here after its call.
    forgetNumber: async () => success(undefined),

    async verifyNumber(call) {
      return verifications?.call(call) ?? failure('unavailable')
    },

    async inspect(callId): Promise<CallInspection> {
      return calls?.find(callId)?.inspect() ?? calls?.findEnded(callId)?.inspection ?? { kind: 'unknown' }
    },

    observe(callId) {
      return calls?.find(callId)?.observe() ?? calls?.findEnded(callId)?.observation
    },

    live() {
      return calls?.live() ?? []
    },

    async claimNumber({ number, whenCalled, token: earlier }) {
      const known = earlier === undefined ? undefined : await tokens.handsetOf(earlier)
      const claim = { handsetId: known ?? random.uuid(), number, whenCalled }
      const claimed = handsets.claim(claim)
      if (!claimed.ok) return claimed
      const token = await tokens.issue({ kind: 'handset', ...claim })
      return success({ token, ttlSeconds: tokenTtlSeconds, route: { kind: 'exchange', path } })
    },

    claims() {
      return handsets.claims()
    },

    async close() {
      stop()
      const untold = verifications?.close(closingTimeoutMs)
      const unsettled = await settle(calls?.endAll() ?? [], closingTimeoutMs)
      if (unsettled.length > 0) {
        log.error({ calls: unsettled.map(call => call.callId) }, 'calls not settled at closing')
      }
      await untold
      for (const session of sessions) session.close()
    },
  }
}

/** Waits until the calls are over, at most so long. Returns those that are not. */
async function settle(calls: readonly ExchangeCall[], timeoutMs: number): Promise<readonly ExchangeCall[]> {
  const open = new Set(calls)
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeoutMs)
  const over = calls.map(call => call.over.finally(() => open.delete(call)))
  await Promise.race([Promise.allSettled(over), timeout])
  clearTimeout(timer)
  return [...open]
}

/** A socket on an address that is not ours would fail where nobody can catch it, in the middle of a call. */
function requireOwnAddress(address: string): void {
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  if (own.some(entry => entry.address === address)) return
  throw new StartError(
    `EXCHANGE_BIND_ADDRESS ${address} is not an IP address of this machine. Name one that is; behind NAT or in ` +
      'a container, EXCHANGE_ADDRESS is the one that browsers are told.',
  )
}
