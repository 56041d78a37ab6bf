import { timingSafeEqual } from 'node:crypto'
import type { Random } from '../../random.ts'
import type { ServerFrame } from './frames.ts'

/** A socket through which one end of a call is reached. */
export interface Signalling {
  send(frame: ServerFrame): void
}

/** The way to one end of a call: a socket that may be lost, and the secret with which another takes its place. */
export class SignallingPath {
  /** Told to that end alone; whoever shows it takes the call up. */
  readonly reconnectToken: string
  #signalling: Signalling | undefined
  #lostAtMs: number | undefined

  constructor(signalling: Signalling, random: Random) {
    this.#signalling = signalling
    this.reconnectToken = Buffer.from(random.bytes(24)).toString('base64url')
  }

  /** When the socket was lost, if it is to be missed; undefined while there is one. Monotonic milliseconds. */
  get lostAtMs(): number | undefined {
    return this.#lostAtMs
  }

  /** A frame that finds no socket is gone: whoever takes the call up is told anew. */
  send(frame: ServerFrame): void {
    this.#signalling?.send(frame)
  }

  /** Whether this was the path's socket, which it has now lost. */
  lose(signalling: Signalling, atMs: number): boolean {
    if (signalling !== this.#signalling) return false
    this.#signalling = undefined
    this.#lostAtMs = atMs
    return true
  }

  /** Goes on through this socket, if the token is the right one. */
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
