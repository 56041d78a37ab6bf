import { setTimeout as sleep } from 'node:timers/promises'
import { type Core, URI, UserAgent, UserAgentState } from 'sip.js'
import type { Logger } from '../exchange/logger.ts'

/** A call to place at one carrier. */
export interface Outgoing {
  readonly callId: string
  /** Counts the carriers tried for this call, from 0. */
  readonly attempt: number
  /** The carrier's set in the edge's list. */
  readonly carrier: number
  /** User and host of the SIP addresses, as this carrier wants them: `+442079460000`, `sip.carrier.example`. */
  readonly to: { readonly user: string; readonly host: string }
  readonly from: { readonly user: string; readonly host: string }
  /** Seconds from the answer, after which the edge ends the call by itself. */
  readonly limitSeconds: number
  /** STIR attestation: A for a number that the user verified, B for our own. */
  readonly attestation: 'A' | 'B' | undefined
  readonly headers: readonly string[]
  /** SDP. */
  readonly offer: string
}

/**
 * Why the edge has no answer of the carrier. With `timeout` and `lost` the carrier may have the call all the same: it said nothing
 * in time, or its answers did not reach us. With the others nothing was placed.
 */
export type EdgeFailure = 'unreachable' | 'timeout' | 'full' | 'no_record' | 'edge_down' | 'lost'

export type OutgoingEvent =
  /** The carrier has the call, and is looking for the callee. */
  | { readonly kind: 'trying' }
  /** The callee's telephone rings. With an SDP the carrier already sends sound. */
  | { readonly kind: 'ringing'; readonly sdp: string | undefined }
  | { readonly kind: 'answered'; readonly sdp: string | undefined }
  /** There will be no answer. `edge` is undefined when the carrier itself answered with `code`. */
  | { readonly kind: 'rejected'; readonly code: number; readonly edge: EdgeFailure | undefined }
  /** The carrier offers the answered call's sound anew. `reply` takes our SDP; undefined rejects the offer. */
  | {
      readonly kind: 'reoffered'
      readonly sdp: string | undefined
      readonly reply: (sdp: string | undefined) => void
    }
  /**
   * The callee hung up, or the edge did. Not reported after our own `hangUp`. `endedAtMs` (since 1970) by the edge's record,
   * when the event itself was lost.
   */
  | { readonly kind: 'ended'; readonly endedAtMs?: number | undefined }

export interface OutgoingLeg {
  /** Cancels a call that was not answered, and ends one that was. Repeatable. Nothing is reported afterwards. */
  hangUp(): void
}

/** By which the edge and the carrier know this attempt: SIP's Call-ID. */
export function sipIdOf({ callId, attempt }: Pick<Outgoing, 'callId' | 'attempt'>): string {
  return `${callId}.${attempt}`
}

const sdpType = 'application/sdp'
const firstRetryMs = 250
const slowestRetryMs = 5000

export interface SignallingOptions {
  /** The edge's control address: `http://10.0.0.5:5080`. */
  readonly control: string
  readonly log: Logger
  /** The connection to the edge is there again: events may have been lost. */
  readonly onReconnected: () => void
}

/** Our end of SIP: a WebSocket to one edge, and the calls on it. */
export class Signalling {
  readonly #options: SignallingOptions
  readonly #agent: UserAgent
  readonly #stopping = new AbortController()
  #wasConnected = false

  constructor(options: SignallingOptions) {
    this.#options = options
    const { hostname, port } = new URL(options.control)
    this.#agent = new UserAgent({
      uri: new URI('sip', 'farline', hostname, Number(port)),
      contactName: 'farline',
      transportOptions: { server: `${options.control.replace(/^http/, 'ws')}/sip`, connectionTimeout: 5 },
      userAgentString: 'Farline',
      // Its lines hold whole messages, with numbers.
      logBuiltinEnabled: false,
      gracefulShutdown: false,
    })
    this.#agent.transport.onDisconnect = error => {
      if (error !== undefined) options.log.warn({ err: error }, 'the connection to the edge was lost')
      void this.#connect()
    }
  }

  get isConnected(): boolean {
    return this.#agent.transport.isConnected()
  }

  /** Resolves with the first connection. Later ones are made by themselves. */
  async open(): Promise<void> {
    await this.#connect()
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#agent.transport.dispose()
  }

  place(call: Outgoing, on: (event: OutgoingEvent) => void): OutgoingLeg {
    if (!this.isConnected) {
      queueMicrotask(() => on({ kind: 'rejected', code: 503, edge: 'edge_down' }))
      return { hangUp: () => undefined }
    }
    const core = this.#agent.userAgentCore
    const to = new URI('sip', call.to.user, call.to.host)
    const from = new URI('sip', call.from.user, call.from.host)
    const headers = [
      `Contact: ${this.#agent.contact.toString()}`,
      `X-Call: ${call.callId}`,
      `X-Carrier: ${call.carrier}`,
      `X-Limit: ${call.limitSeconds}`,
      ...(call.attestation === undefined ? [] : [`X-Attest: ${call.attestation}`]),
      ...call.headers,
    ]
    const message = core.makeOutgoingRequestMessage(
      'INVITE',
      to,
      from,
      to,
      { callId: sipIdOf(call) },
      headers,
      { contentDisposition: 'session', contentType: sdpType, content: call.offer },
    )
    return new Leg(core, message, on, this.#options.log)
  }

  async #connect(): Promise<void> {
    const { log, onReconnected } = this.#options
    for (let waitMs = firstRetryMs; !this.#stopping.signal.aborted; waitMs *= 2) {
      try {
        // An agent that is not started ignores what comes from the edge.
        if (this.#agent.state === UserAgentState.Stopped) await this.#agent.start()
        else await this.#agent.transport.connect()
        if (this.#wasConnected) onReconnected()
        this.#wasConnected = true
        return
      } catch (error) {
        log.warn({ err: error }, 'the edge cannot be reached')
        await sleep(Math.min(waitMs, slowestRetryMs), undefined, {
          signal: this.#stopping.signal,
          ref: false,
        }).catch(() => undefined)
      }
    }
  }
}

class Leg implements OutgoingLeg {
  readonly #invitation: Core.OutgoingInviteRequest
  readonly #on: (event: OutgoingEvent) => void
  readonly #log: Logger
  #session: Core.Session | undefined
  #state: 'inviting' | 'answered' | 'over' = 'inviting'
  /** The last SDP of the carrier: an answer without one means that of the ringing. */
  #sdp: string | undefined
  /** Counts our answers to the carrier's changes. */
  #changes = 0

  constructor(
    core: Core.UserAgentCore,
    message: Core.OutgoingRequestMessage,
    on: (event: OutgoingEvent) => void,
    log: Logger,
  ) {
    this.#on = on
    this.#log = log
    this.#invitation = core.invite(message, {
      onProgress: ({ message }) => this.#ringing(message),
      onRedirect: ({ message }) => this.#rejected(message),
      onReject: ({ message }) => this.#rejected(message),
      onAccept: response => this.#answered(response),
    })
  }

  hangUp(): void {
    const before = this.#state
    this.#state = 'over'
    if (before === 'inviting') this.#invitation.cancel()
    else if (before === 'answered') this.#session?.bye()
  }

  #ringing(message: Core.IncomingResponseMessage): void {
    if (this.#state !== 'inviting') return
    if (message.getHeader('X-Edge') === 'trying') {
      this.#on({ kind: 'trying' })
      return
    }
    const sdp = sdpOf(message)
    this.#sdp = sdp ?? this.#sdp
    this.#on({ kind: 'ringing', sdp })
  }

  #rejected(message: Core.IncomingResponseMessage): void {
    if (this.#state !== 'inviting') return
    this.#state = 'over'
    this.#on({ kind: 'rejected', code: message.statusCode ?? 500, edge: edgeFailureOf(message) })
  }

  #answered({ message, session, ack }: Core.AckableIncomingResponseWithSession): void {
    ack()
    // Cancelled too late, or a second telephone answered.
    if (this.#state !== 'inviting') {
      session.bye()
      return
    }
    this.#session = session
    this.#state = 'answered'
    session.delegate = {
      onBye: request => {
        request.accept()
        if (this.#state === 'over') return
        this.#state = 'over'
        this.#on({ kind: 'ended' })
      },
      onInvite: request => {
        const { body } = request.message
        const reply = (sdp: string | undefined) => {
          if (sdp === undefined) request.reject({ statusCode: 488 })
          else {
            request.accept({
              statusCode: 200,
              body: {
                contentDisposition: 'session',
                contentType: sdpType,
                content: withVersion(facing(body, sdp), ++this.#changes),
              },
            })
          }
        }
        this.#on({ kind: 'reoffered', sdp: body === '' ? undefined : body, reply })
      },
      onAckTimeout: () => this.#log.warn({}, 'a carrier did not confirm a change of its own'),
    }
    this.#on({ kind: 'answered', sdp: sdpOf(message) ?? this.#sdp })
  }
}

/** @returns an answer in the direction that the offer leaves open (RFC 3264, 6.1) */
function facing(offer: string, answer: string): string {
  const [, direction] = /^a=(sendonly|recvonly|inactive)\r?$/m.exec(offer) ?? []
  if (direction === undefined) return answer
  const opposite = { sendonly: 'recvonly', recvonly: 'sendonly' }[direction] ?? 'inactive'
  const undirected = answer.replace(/^a=(?:sendrecv|sendonly|recvonly|inactive)\r?\n/gm, '')
  return `${undirected}a=${opposite}\r\n`
}

/** A session that is described anew has a higher version (RFC 3264, section 8). rtpengine keeps that of the browser. */
function withVersion(sdp: string, changes: number): string {
  return sdp.replace(
    /^(o=\S+ \S+) (\d+)/m,
    (_, origin, version) => `${origin} ${BigInt(version) + BigInt(changes)}`,
  )
}

function sdpOf({ body }: Core.IncomingResponseMessage): string | undefined {
  return body === undefined || body === '' ? undefined : body
}

function edgeFailureOf(message: Core.IncomingResponseMessage): EdgeFailure | undefined {
  // Of SIP.js itself: no answer came, or the request could not be sent.
  if (message.getHeader('Via') === undefined) return message.statusCode === 408 ? 'lost' : 'edge_down'
  const said = message.getHeader('X-Edge')
  switch (said) {
    case 'unreachable':
    case 'timeout':
    case 'full':
    case 'no_record':
      return said
    default:
      return undefined
  }
}
