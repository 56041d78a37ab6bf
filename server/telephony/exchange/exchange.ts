import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { WebSocket } from 'ws'
import type { Clock } from '../../clock.ts'
import { type Random, systemRandom } from '../../random.ts'
import { StartError } from '../../start-error.ts'
import type { CallControl, CallInspection, Telephony } from '../port.ts'
import { ExchangeCall } from './call.ts'
import type { CallObservation, Signalling } from './call-contract.ts'
import { EndedCalls } from './ended-calls.ts'
import { callUnknown, endError } from './endings.ts'
import type { Logger } from './logger.ts'
import type { MediaAddress } from './media/media-address.ts'
import { Ticker } from './media/ticker.ts'
import { beatMs, type CallFrame, Session } from './session.ts'
import { lineOf } from './test-numbers.ts'
import { createVoiceTokens } from './tokens.ts'
import { acceptSockets } from './upgrade.ts'

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
}

/** How long `close` waits for the call service to take the last reports. */
const closingTimeoutMs = 5000

const loopback: MediaAddress = { bound: '127.0.0.1', advertised: '127.0.0.1', ports: undefined }

/** @throws StartError when the bound address is not an IP address of this machine. */
export function createExchange(options: ExchangeOptions): Exchange {
  const { clock, log, address = loopback, path = '/exchange', tokenTtlSeconds = 600 } = options
  const random = options.random ?? systemRandom
  requireOwnAddress(address.bound)
  const tokens = createVoiceTokens({ secret: options.secret, ttlSeconds: tokenTtlSeconds, clock, random })
  const ticker = new Ticker()
  const sessions = new Set<Session>()
  const calls = new Set<ExchangeCall>()
  const ended = new EndedCalls(clock)
  let open: { readonly control: CallControl; stop(): void } | undefined

  function onSocket(socket: WebSocket): void {
    const session = new Session(socket, {
      clock,
      log,
      verify: tokens.verify,
      onCallFrame,
      onClosed: closed => {
        sessions.delete(closed)
        for (const call of calls) call.signallingLost(closed)
      },
    })
    sessions.add(session)
  }

  function onCallFrame(session: Signalling, userId: string, frame: CallFrame): void {
    const { callsid } = frame.payload
    const call = [...calls].find(one => one.isLive && one.userId === userId && one.isNamed(callsid))
    const sayUnknown = () => session.send({ type: 'hangup', payload: { callsid, error: callUnknown } })
    switch (frame.type) {
      case 'invite':
        if (frame.payload.reconnect === undefined) invite(session, userId, frame)
        else if (!call?.resume(session, frame.payload.reconnect)) sayUnknown()
        return
      case 'reinvite':
        if (call === undefined) sayUnknown()
        else call.reoffer(frame.payload.sdp)
        return
      case 'hangup':
        call?.callerHungUp()
        return
      case 'dtmf':
        call?.press(frame.payload.dtmf)
        return
      case 'message': {
        const { voiceeventsid } = frame.payload
        session.send({ type: 'ack', payload: { acktype: 'message', callsid, voiceeventsid } })
        return
      }
      default:
        frame satisfies never
    }
  }

  function invite(
    session: Signalling,
    userId: string,
    { payload }: Extract<CallFrame, { type: 'invite' }>,
  ): void {
    if (open === undefined) {
      const error = endError('server_stopping')
      session.send({ type: 'hangup', payload: { callsid: payload.callsid, ...(error && { error }) } })
      return
    }
    const asked = new URLSearchParams(payload.twilio?.params)
    const services = { address, clock, random, control: open.control, log, ticker, lineOf }
    const left = [...calls].filter(one => one.userId === userId && one.dialledAnew())
    const call = new ExchangeCall(services, session, {
      userId,
      temporaryId: payload.callsid,
      offer: payload.sdp,
      to: asked.get('To') ?? '',
      callerId: asked.get('CallerId') || undefined,
      earlier: Promise.all(left.map(one => one.over)),
    })
    calls.add(call)
    call.over.then(() => {
      calls.delete(call)
      const inspection = call.inspect()
      if (call.callId === undefined || inspection.kind !== 'ended') return
      ended.add(call.callId, { inspection, observation: call.observe() })
    }, reportBug)
  }

  function reportBug(error: unknown): void {
    log.error({ err: error }, 'exchange failed')
  }

  function find(callId: string): ExchangeCall | undefined {
    return [...calls].find(call => call.callId === callId)
  }

  return {
    open({ control, server }) {
      const stopAccepting = acceptSockets(server, `${path}/signal`, onSocket)
      const beat = setInterval(() => {
        for (const session of sessions) session.beat()
      }, beatMs)
      const stop = () => {
        stopAccepting()
        clearInterval(beat)
      }
      open = { control, stop }
    },

    async issueVoiceToken(userId) {
      const token = await tokens.issue(userId)
      return { token, ttlSeconds: tokenTtlSeconds, route: { kind: 'exchange', path } }
    },

    async hangUp(callId, why) {
      find(callId)?.end(why === 'no_credits' ? 'limit' : 'blocked')
    },

    async setLimit(callId, limitMs) {
      find(callId)?.setLimit(limitMs)
    },

    async inspect(callId): Promise<CallInspection> {
      return find(callId)?.inspect() ?? ended.get(callId)?.inspection ?? { kind: 'unknown' }
    },

    observe(callId) {
      return find(callId)?.observe() ?? ended.get(callId)?.observation
    },

    live() {
      return [...calls].flatMap(call => (call.isLive && call.callId !== undefined ? [call.callId] : []))
    },

    async close() {
      open?.stop()
      open = undefined
      for (const call of calls) call.end('server_stopping')
      const unsettled = await settle(
        [...calls].map(call => call.over),
        closingTimeoutMs,
      )
      if (unsettled) log.error({ calls: [...calls].map(call => call.callId) }, 'calls not settled at closing')
      for (const session of sessions) session.close()
    },
  }
}

/** Whether some of the promises are still open after so long. */
async function settle(promises: readonly Promise<void>[], timeoutMs: number): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(true), timeoutMs)
  const unsettled = await Promise.race([Promise.allSettled(promises).then(() => false), timeout])
  clearTimeout(timer)
  return unsettled
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
