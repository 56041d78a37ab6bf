import type { WebSocket } from 'ws'
import type { Result } from '#lib/result.ts'
import type { Clock } from '../../process/clock.ts'
import { notAuthenticated, tokenExpired, tokenInvalid } from './endings.ts'
import { type ClientFrame, encodeFrame, heartbeat, parseFrame, type ServerFrame } from './frames.ts'
import type { Logger } from './logger.ts'
import { partyId, type VoiceIdentity, type VoiceParty } from './tokens.ts'

/** Frames about calls; the session itself handles the others. */
export type CallFrame = Exclude<ClientFrame, { readonly type: 'listen' | 'register' }>

export interface SessionServices {
  readonly clock: Clock
  readonly log: Logger
  verify(token: string): Promise<Result<VoiceIdentity, 'expired' | 'invalid'>>
  onCallFrame(session: Session, party: VoiceParty, frame: CallFrame): void
  /** A party showed its first valid token on this socket. @returns whether it may have one more socket */
  onIdentified(session: Session, party: VoiceParty): boolean
  /** A party with a valid token wants to receive calls. @returns whether it will */
  onRegister(session: Session, party: VoiceParty): boolean
  onUnregister(session: Session): void
  onExpired(session: Session): void
  onClosed(session: Session): void
}

/** How often `Session.beat` must be called, in real time: the client needs a sign of life within 15 s. */
export const beatMs = 1000
const beatsBetweenHeartbeats = 5
const maxUnansweredHeartbeats = 4
/** How long a socket may stay open without a valid token, including time to fetch a fresh one. */
export const maxSecondsWithoutToken = 30
const maxBeatsWithoutToken = (maxSecondsWithoutToken * 1000) / beatMs
const maxFramesPerBeat = 100
const closingGraceMs = 1000

const closeCodes = { goingAway: 1001, policy: 1008, internal: 1011 } as const

type Authority =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'valid' } & VoiceIdentity)
  /** The token expired: calls go on, new ones are rejected. */
  | { readonly kind: 'expired'; readonly party: VoiceParty }

/** One signalling socket: the party at its other end, and whether it is still there. */
export class Session {
  readonly #socket: WebSocket
  readonly #services: SessionServices
  #authority: Authority = { kind: 'none' }
  #inbox: Promise<void> = Promise.resolve()
  #beats = 0
  #beatsWithoutToken = 0
  #unansweredHeartbeats = 0
  #framesThisBeat = 0

  constructor(socket: WebSocket, services: SessionServices) {
    this.#socket = socket
    this.#services = services
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? '' : data.toString()))
    socket.on('error', error => services.log.debug({ err: error }, 'exchange socket failed'))
    socket.on('close', () => services.onClosed(this))
  }

  send(frame: ServerFrame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(encodeFrame(frame))
  }

  /** Closes the socket on shutdown, with a grace period; the client may reconnect to the next server. */
  close(): void {
    this.#socket.close(closeCodes.goingAway, 'server stopping')
    setTimeout(() => this.#socket.terminate(), closingGraceMs).unref()
  }

  /** Ends the socket without a goodbye, which a flood would not answer. */
  drop(): void {
    this.#socket.terminate()
  }

  /** Sends heartbeats, and detects an expired token or a lost client. */
  beat(): void {
    this.#beats += 1
    this.#framesThisBeat = 0
    this.#expireToken()
    this.#beatsWithoutToken = this.#authority.kind === 'valid' ? 0 : this.#beatsWithoutToken + 1
    if (this.#authority.kind === 'none' && this.#beatsWithoutToken > maxBeatsWithoutToken) {
      this.#refuse('no token')
    } else if (this.#unansweredHeartbeats >= maxUnansweredHeartbeats) {
      this.#socket.terminate()
    } else if (this.#beats % beatsBetweenHeartbeats === 0 && this.#socket.readyState === this.#socket.OPEN) {
      this.#unansweredHeartbeats += 1
      this.#socket.send(heartbeat)
    }
  }

  #expireToken(): void {
    const authority = this.#authority
    if (authority.kind !== 'valid' || authority.expiresAt > this.#services.clock.now()) return
    this.#authority = { kind: 'expired', party: authority.party }
    this.#services.onExpired(this)
    this.send({ type: 'error', payload: { error: tokenExpired } })
    this.send({ type: 'offline', payload: {} })
  }

  #receive(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#unansweredHeartbeats = 0
    this.#framesThisBeat += 1
    if (text === heartbeat) return
    const parsed = parseFrame(text)
    if (this.#framesThisBeat > maxFramesPerBeat) {
      this.#refuse('too many frames')
    } else if (parsed.kind === 'malformed') {
      this.#refuse('malformed frame')
    } else if (parsed.kind === 'unknown') {
      this.#services.log.debug({ type: parsed.type.slice(0, 32) }, 'an exchange frame has an unknown type')
    } else {
      this.#enqueue(parsed.frame)
    }
  }

  /** Strictly in order: frames after a `listen` depend on its outcome. */
  #enqueue(frame: ClientFrame): void {
    this.#inbox = this.#inbox
      .then(() => this.#take(frame))
      .catch(error => {
        this.#services.log.error({ err: error, type: frame.type }, 'exchange frame failed')
        this.#socket.close(closeCodes.internal)
      })
  }

  async #take(frame: ClientFrame): Promise<void> {
    if (frame.type === 'listen') await this.#listen(frame.payload.token)
    else if (frame.type === 'register') this.#register(frame.payload.media?.audio === true)
    else this.#passOn(frame)
  }

  #passOn(frame: CallFrame): void {
    // A closed socket places no call, but its last hang-up counts.
    if (frame.type === 'invite' && this.#socket.readyState !== this.#socket.OPEN) return
    const authority = this.#authority
    const isNewCall = frame.type === 'invite' && frame.payload.reconnect === undefined
    if (authority.kind === 'valid' || (authority.kind === 'expired' && !isNewCall)) {
      this.#services.onCallFrame(this, authority.party, frame)
    } else if (frame.type === 'invite') {
      this.send({ type: 'hangup', payload: { callsid: frame.payload.callsid, error: notAuthenticated } })
    }
  }

  async #listen(token: string): Promise<void> {
    const verified = await this.#services.verify(token)
    if (!verified.ok && verified.code === 'expired') {
      this.send({ type: 'error', payload: { error: tokenExpired } })
      return
    }
    const known = this.#authority.kind === 'none' ? undefined : this.#authority.party
    if (!verified.ok || (known !== undefined && !isSameParty(known, verified.value.party))) {
      this.#refuseToken('token refused')
      return
    }
    if (known === undefined && !this.#services.onIdentified(this, verified.value.party)) {
      this.#refuseToken('too many sockets')
      return
    }
    this.#authority = { kind: 'valid', ...verified.value }
    const { party, expiresAt } = verified.value
    const ttlMs = expiresAt.getTime() - this.#services.clock.now().getTime()
    this.send({
      type: 'connected',
      payload: {
        token: { identity: partyId(party), ttl: Math.max(0, Math.floor(ttlMs / 1000)) },
        edge: 'local',
        region: 'local',
        gateway: 'local',
        home: 'local',
      },
    })
  }

  #register(wanted: boolean): void {
    const authority = this.#authority
    if (!wanted) {
      this.#services.onUnregister(this)
      this.send({ type: 'offline', payload: {} })
    } else if (authority.kind !== 'valid') {
      const error = authority.kind === 'expired' ? tokenExpired : tokenInvalid
      this.send({ type: 'error', payload: { error } })
    } else if (this.#socket.readyState !== this.#socket.OPEN) {
    } else if (this.#services.onRegister(this, authority.party)) {
      this.send({ type: 'ready', payload: {} })
    } else {
      this.#refuseToken('number taken')
    }
  }

  #refuseToken(reason: string): void {
    this.send({ type: 'error', payload: { error: tokenInvalid } })
    // Without `close` the client would wait forever for its registration.
    this.send({ type: 'close', payload: {} })
    this.#refuse(reason)
  }

  #refuse(reason: string): void {
    this.#socket.close(closeCodes.policy, reason)
  }
}

/** A handset may have claimed another number since. */
function isSameParty(one: VoiceParty, other: VoiceParty): boolean {
  return one.kind === other.kind && partyId(one) === partyId(other)
}
