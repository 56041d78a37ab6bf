import type { IncomingMessage, Server } from 'node:http'
import type { WebSocket } from 'ws'
import { causeOfRequest, type HangUpReason } from '#lib/calls/call-end.ts'
import type { AddressOfSocket } from '../../http/socket-address.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import type { CallControl, CallInspection, VoiceCredential } from '../port.ts'
import type { ExchangeCall } from './call.ts'
import type { CallObservation, CallServices } from './call-contract.ts'
import { CallerCalls } from './caller-calls.ts'
import type { Handsets } from './handsets.ts'
import type { Logger } from './logger.ts'
import type { MediaAddress } from './media/media-address.ts'
import { Ticker } from './media/ticker.ts'
import { beatMs, type CallFrame, Session } from './session.ts'
import { SocketLimits } from './socket-limits.ts'
import { createVoiceTokens, type VoiceParty, type VoiceTokens } from './tokens.ts'
import { acceptSockets } from './upgrade.ts'

export interface SwitchboardOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Signs voice tokens (HS256): 32 octets or more. */
  readonly secret: Uint8Array
  /** Base path on our server; the client opens `<path>/signal`. Default `/exchange`. */
  readonly path?: string
  readonly tokenTtlSeconds?: number
  /** Of media in this process, for connection checks. */
  readonly address: () => MediaAddress
  /** Undefined: nobody can be called here. */
  readonly handsets: Handsets | undefined
  readonly onForeignOrigin?: (request: IncomingMessage) => void
  /** Default: the address of the connection itself, as without a proxy. */
  readonly addressOf?: AddressOfSocket
}

export interface SwitchboardOpening {
  readonly control: CallControl
  readonly server: Server
  readonly farSide: CallServices['farSide']
}

/** Browsers' sockets and the calls that they place, whatever carries the calls on. */
export class Switchboard {
  readonly tokens: VoiceTokens
  readonly ticker = new Ticker()
  readonly #options: SwitchboardOptions
  readonly #path: string
  readonly #tokenTtlSeconds: number
  readonly #sessions = new Set<Session>()
  readonly #limits: SocketLimits<Session>
  #calls: CallerCalls | undefined
  #stop: () => void = () => undefined

  constructor(options: SwitchboardOptions) {
    const { secret, clock, random, path = '/exchange', tokenTtlSeconds = 600 } = options
    this.#options = options
    this.#path = path
    this.#tokenTtlSeconds = tokenTtlSeconds
    this.#limits = new SocketLimits(options.addressOf ?? (({ socket }) => socket.remoteAddress ?? ''))
    this.tokens = createVoiceTokens({ secret, ttlSeconds: tokenTtlSeconds, clock, random })
  }

  /** Starts taking calls on the server's `<path>/signal`; ignores other upgrades. Once. */
  open({ control, server, farSide }: SwitchboardOpening): void {
    const { clock, random, log, address, onForeignOrigin } = this.#options
    const stopAccepting = acceptSockets(server, `${this.#path}/signal`, {
      admits: request => this.#limits.admits(request),
      onSocket: (socket, request) => this.#accept(socket, request),
      onForeignOrigin,
    })
    const beat = setInterval(() => {
      for (const session of this.#sessions) session.beat()
    }, beatMs)
    this.#stop = () => {
      stopAccepting()
      clearInterval(beat)
    }
    this.#calls = new CallerCalls({ clock, random, control, log, ticker: this.ticker, farSide }, address)
  }

  async issueCredential(party: VoiceParty): Promise<VoiceCredential> {
    const token = await this.tokens.issue(party)
    return { token, ttlSeconds: this.#tokenTtlSeconds, route: { kind: 'exchange', path: this.#path } }
  }

  /** @returns false for a call that is not live here */
  hangUp(callId: string, why: HangUpReason): boolean {
    const call = this.#calls?.find(callId)
    call?.end(causeOfRequest[why])
    return call !== undefined
  }

  /** @returns false for a call that is not live here */
  setLimit(callId: string, limitMs: number): boolean {
    const call = this.#calls?.find(callId)
    call?.setLimit(limitMs)
    return call !== undefined
  }

  /** Undefined for a call that was not placed here, or that ended more than ten minutes ago. */
  inspect(callId: string): Exclude<CallInspection, { readonly kind: 'unknown' }> | undefined {
    return this.#calls?.find(callId)?.inspect() ?? this.#calls?.findEnded(callId)?.inspection
  }

  observe(callId: string): CallObservation | undefined {
    return this.#calls?.find(callId)?.observe() ?? this.#calls?.findEnded(callId)?.observation
  }

  live(): readonly string[] {
    return this.#calls?.live() ?? []
  }

  /** Ends every call and takes no more; waits at most `timeoutMs` for the ends to be applied. */
  async endCalls(timeoutMs: number): Promise<void> {
    this.#stop()
    const unsettled = await settle(this.#calls?.endAll() ?? [], timeoutMs)
    if (unsettled.length === 0) return
    this.#options.log.error(
      { calls: unsettled.map(call => call.callId) },
      'some calls were not settled before the exchange closed',
    )
  }

  closeSockets(): void {
    for (const session of this.#sessions) session.close()
  }

  #accept(socket: WebSocket, request: IncomingMessage): void {
    const { clock, log, handsets } = this.#options
    const session = new Session(socket, {
      clock,
      log,
      verify: this.tokens.verify,
      onCallFrame: (from, party, frame) => this.#onCallFrame(from, party, frame),
      onIdentified: (from, party) => this.#limits.identified(from, party),
      onRegister: (from, party) => party.kind === 'caller' || (handsets?.register(from, party) ?? false),
      onUnregister: from => handsets?.unregister(from),
      onExpired: from => handsets?.away(from),
      onClosed: closed => {
        this.#sessions.delete(closed)
        this.#limits.closed(closed)
        handsets?.lost(closed)
        this.#calls?.signallingLost(closed)
      },
    })
    this.#sessions.add(session)
    this.#limits.opened(session, request, (event, left) => socket.once(event, left))
  }

  #onCallFrame(session: Session, party: VoiceParty, frame: CallFrame): void {
    if (party.kind === 'handset') this.#options.handsets?.onFrame(session, party.handsetId, frame)
    else this.#calls?.onFrame(session, party, frame)
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
