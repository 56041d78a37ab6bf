import type { IncomingMessage, Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { WebSocket } from 'ws'
import { causeOfRequest } from '#lib/calls/call-end.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Clock } from '../../process/clock.ts'
import { type Random, systemRandom } from '../../process/random.ts'
import { StartError } from '../../process/start-error.ts'
import type { CallControl, CallInspection, Telephony, VoiceCredential } from '../port.ts'
import type { ExchangeCall } from './call.ts'
import type { CallObservation } from './call-contract.ts'
import { CallerCalls } from './caller-calls.ts'
import type { FarSideOptions } from './far-side.ts'
import { Handsets } from './handsets.ts'
import { LocalSide } from './local-side.ts'
import type { Logger } from './logger.ts'
import type { MediaAddress } from './media/media-address.ts'
import { resolveAddress, type UnnamedAddress } from './media/own-address.ts'
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
  /** Base path on our server; the client opens `<path>/signal`. Default `/exchange`. */
  readonly path?: string
  /** Media address. Default: an address of this machine, chosen for each call; any port. */
  readonly address?: MediaAddress | UnnamedAddress
  readonly tokenTtlSeconds?: number
  readonly random?: Random
  /** Numbers shown for callers without a caller ID, E.164; the first unless another makes a call cheaper. */
  readonly publicNumbers?: readonly [string, ...string[]]
  readonly onForeignOrigin?: (request: IncomingMessage) => void
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

const unnamed: UnnamedAddress = { bound: undefined, ports: undefined }

/** @throws StartError when the bound address is not an IP address of this machine */
export function createExchange(options: ExchangeOptions): Exchange {
  const { clock, log, address: configured = unnamed, path = '/exchange', tokenTtlSeconds = 600 } = options
  const { random = systemRandom, publicNumbers = fictitiousNumbers } = options
  if (configured.bound !== undefined) requireOwnAddress(configured.bound)
  const address = () => resolveAddress(configured)
  const tokens = createVoiceTokens({ secret: options.secret, ttlSeconds: tokenTtlSeconds, clock, random })
  const ticker = new Ticker()
  const sessions = new Set<Session>()
  const handsets = new Handsets({ address, clock, random, log })
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
    else calls?.onFrame(session, party, frame)
  }

  return {
    carriage: 'this_process',
    publicNumbers,

    open({ control, server }) {
      const stopAccepting = acceptSockets(server, `${path}/signal`, onSocket, options.onForeignOrigin)
      const beat = setInterval(() => {
        for (const session of sessions) session.beat()
      }, beatMs)
      stop = () => {
        stopAccepting()
        clearInterval(beat)
      }
      const lineBehind = (number: string) => handsets.lineOf(number) ?? lineOf(number)
      const local = (options: FarSideOptions) => new LocalSide({ address, lineOf: lineBehind }, options)
      calls = new CallerCalls({ clock, random, control, log, ticker, farSide: local }, address)
      verifications = new Verifications({
        ...{ clock, random, control, log, ticker },
        lineOf: lineBehind,
        from: publicNumbers[0],
      })
    },

    async issueVoiceToken(userId, sessionId) {
      const token = await tokens.issue({ kind: 'caller', userId, sessionId })
      return { token, ttlSeconds: tokenTtlSeconds, route: { kind: 'exchange', path } }
    },

    async hangUp(callId, why) {
      calls?.find(callId)?.end(causeOfRequest[why])
    },

    async setLimit(callId, limitMs) {
      calls?.find(callId)?.setLimit(limitMs)
    },

    isTestNumber,

    // Every outcome is reported.
    isVerified: async () => false,

    // The exchange stores no verified numbers.
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
        log.error(
          { calls: unsettled.map(call => call.callId) },
          'some calls were not settled before the exchange closed',
        )
      }
      await untold
      for (const session of sessions) session.close()
    },
  }
}

/** Waits until the calls are over, at most `timeoutMs`. @returns those that are not */
async function settle(calls: readonly ExchangeCall[], timeoutMs: number): Promise<readonly ExchangeCall[]> {
  const open = new Set(calls)
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeoutMs)
  const over = calls.map(call => call.over.finally(() => open.delete(call)))
  await Promise.race([Promise.allSettled(over), timeout])
  clearTimeout(timer)
  return [...open]
}

/** A socket bound to a foreign address would fail in the middle of a call, where nothing can catch it. */
function requireOwnAddress(address: string): void {
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  if (own.some(entry => entry.address === address)) return
  throw new StartError(
    `EXCHANGE_BIND_ADDRESS ${address} is not an IP address of this machine. Name one that is; behind NAT or in ` +
      'a container, EXCHANGE_ADDRESS is the one that browsers are told.',
  )
}
