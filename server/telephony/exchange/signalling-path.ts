import { timingSafeEqual } from 'node:crypto'
import type { Random } from '../../process/random.ts'
import type { ServerFrame } from './frames.ts'

export interface Signalling {
  send(frame: ServerFrame): void
}

/** The way to one end of a call: a replaceable socket, and the secret for replacing it. */
export class SignallingPath {
  /** Known to that end alone; presenting it resumes the call. */
  readonly reconnectToken: string
  #signalling: Signalling | undefined
  #lostAtMs: number | undefined

  constructor(signalling: Signalling, random: Random) {
    this.#signalling = signalling
    this.reconnectToken = Buffer.from(random.bytes(24)).toString('base64url')
  }

  /** When the socket was lost; undefined while there is one. Monotonic milliseconds. */
  get lostAtMs(): number | undefined {
    return this.#lostAtMs
  }

  /** Without a socket the frame is dropped; whoever resumes gets the state anew. */
  send(frame: ServerFrame): void {
    this.#signalling?.send(frame)
  }

  /** The call is answered, and this token resumes it. Without an SDP the client keeps the one it has. */
  sendAnswer(callsid: string, sdp?: string): void {
    const reconnect = this.reconnectToken
    this.send({ type: 'answer', payload: { callsid, reconnect, ...(sdp !== undefined && { sdp }) } })
  }

  /** @returns whether this was the path's socket */
  lose(signalling: Signalling, atMs: number): boolean {
    if (signalling !== this.#signalling) return false
    this.#signalling = undefined
    this.#lostAtMs = atMs
    return true
  }

  resume(signalling: Signalling, reconnectToken: string): boolean {
    if (!sameText(reconnectToken, this.reconnectToken)) return false
    this.#signalling = signalling
    this.#lostAtMs = undefined
    return true
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
