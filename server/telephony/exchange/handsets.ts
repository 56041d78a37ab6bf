import { failure, type Result, success } from '#lib/result.ts'
import { callUnknown, notAuthenticated } from './endings.ts'
import { acknowledgement } from './frames.ts'
import { HandsetCall, type HandsetCallServices } from './handset-call.ts'
import { handsetLine } from './lines/handset-line.ts'
import type { Line, LineCall, LineControl } from './lines/line.ts'
import { refusingLine } from './lines/refusing-line.ts'
import type { CallFrame } from './session.ts'
import type { Signalling } from './signalling-path.ts'
import type { HandsetClaim } from './tokens.ts'

/** How long a claim outlives its socket: the client is back within a second or two, a reloaded page is not. */
const graceMs = 10_000
const mostHandsets = 100

interface Handset {
  claim: HandsetClaim
  /** The socket through which it is called; since when there is none. */
  reach:
    | { readonly kind: 'here'; readonly signalling: Signalling }
    | { readonly kind: 'away'; readonly sinceMs: number }
}

/** The telephones in people's tabs: which number rings where. Whoever writes here goes through one of these methods. */
export class Handsets {
  readonly #services: HandsetCallServices
  /** By handset. */
  readonly #handsets = new Map<string, Handset>()
  /** Live calls by handset, at most one each. They outlive the claim. */
  readonly #calls = new Map<string, HandsetCall>()
  readonly #away = refusingLine('no_answer')
  readonly #busy = refusingLine('busy')

  constructor(services: HandsetCallServices) {
    this.#services = services
  }

  /** Every claim that stands, in the order in which they were made. */
  claims(): readonly HandsetClaim[] {
    this.#forget()
    return [...this.#handsets.values()].map(({ claim }) => claim)
  }

  /**
   * Gives a handset a number. One that has it already keeps its place. A number is taken only while another
   * handset can be reached there.
   */
  claim(claim: HandsetClaim): Result<void, 'number_taken' | 'too_many_handsets'> {
    this.#forget()
    const holder = this.#at(claim.number)
    if (holder !== undefined && holder.claim.handsetId !== claim.handsetId) {
      if (holder.reach.kind === 'here' || this.#calls.has(holder.claim.handsetId))
        return failure('number_taken')
      this.#handsets.delete(holder.claim.handsetId)
    }
    const known = this.#handsets.get(claim.handsetId)
    if (known !== undefined) {
      known.claim = claim
      return success(undefined)
    }
    if (this.#handsets.size >= mostHandsets) return failure('too_many_handsets')
    const reach = { kind: 'away', sinceMs: this.#services.clock.monotonicMs() } as const
    this.#handsets.set(claim.handsetId, { claim, reach })
    return success(undefined)
  }

  /**
   * The number rings at this socket from now on. What was claimed last counts; a claim that was forgotten is
   * made again from the token, as after a restart of the server.
   * @returns false when another handset has the number now
   */
  register(signalling: Signalling, claim: HandsetClaim): boolean {
    this.#forget()
    if (!this.#handsets.has(claim.handsetId) && !this.claim(claim).ok) return false
    const handset = this.#handsets.get(claim.handsetId)
    if (handset === undefined) return false
    handset.reach = { kind: 'here', signalling }
    return true
  }

  /** The handset gives its number up: at once free for others. */
  unregister(signalling: Signalling): void {
    for (const [handsetId, handset] of this.#handsets) {
      if (isReachedBy(handset, signalling)) this.#handsets.delete(handsetId)
    }
  }

  /** A socket was closed. The claim waits a while for the next one, a call that was picked up somewhat longer. */
  lost(signalling: Signalling): void {
    this.away(signalling)
    for (const call of this.#calls.values()) call.signallingLost(signalling)
  }

  /** Nothing rings at this socket any more, for the time being. */
  away(signalling: Signalling): void {
    const sinceMs = this.#services.clock.monotonicMs()
    for (const handset of this.#handsets.values()) {
      if (isReachedBy(handset, signalling)) handset.reach = { kind: 'away', sinceMs }
    }
  }

  /** The line behind a number; undefined when no handset has claimed it. */
  lineOf(number: string): Line | undefined {
    this.#forget()
    const handset = this.#at(number)
    if (handset === undefined) return undefined
    const { reach, claim } = handset
    if (reach.kind === 'away') return this.#away
    if (this.#calls.has(claim.handsetId) || claim.whenCalled === 'busy') return this.#busy
    return handsetLine(control => this.#call(claim, reach.signalling, control))
  }

  /** A frame about a call, from a handset whose token was once valid on this socket. */
  onFrame(signalling: Signalling, handsetId: string, frame: CallFrame): void {
    const { callsid } = frame.payload
    const current = this.#calls.get(handsetId)
    const call = current?.callId === callsid ? current : undefined
    const sayEnded = (error = callUnknown) => signalling.send({ type: 'hangup', payload: { callsid, error } })
    switch (frame.type) {
      case 'answer':
        if (call === undefined) sayEnded()
        else call.pickedUp(frame.payload.sdp)
        return
      case 'invite':
        // A handset is called, and calls nobody: its token is no caller's.
        if (frame.payload.reconnect === undefined) sayEnded(notAuthenticated)
        else if (!call?.resume(signalling, frame.payload.reconnect)) sayEnded()
        return
      case 'reinvite':
        if (call === undefined) sayEnded()
        else call.reoffer(frame.payload.sdp)
        return
      case 'reject':
        call?.declined()
        return
      case 'hangup':
        call?.hungUp()
        return
      case 'dtmf':
        call?.press(frame.payload.dtmf)
        return
      case 'message':
        signalling.send(acknowledgement(frame))
        return
      default:
        frame satisfies never
    }
  }

  #call({ handsetId, number }: HandsetClaim, signalling: Signalling, control: LineControl): LineCall {
    const call = new HandsetCall(this.#services, {
      control,
      signalling,
      number,
      onOver: () => this.#calls.delete(handsetId),
    })
    this.#calls.set(handsetId, call)
    return call
  }

  #at(number: string): Handset | undefined {
    return [...this.#handsets.values()].find(({ claim }) => claim.number === number)
  }

  #forget(): void {
    const oldestMs = this.#services.clock.monotonicMs() - graceMs
    for (const [handsetId, { reach }] of this.#handsets) {
      const left = reach.kind === 'away' && reach.sinceMs <= oldestMs
      if (left && !this.#calls.has(handsetId)) this.#handsets.delete(handsetId)
    }
  }
}

function isReachedBy({ reach }: Handset, signalling: Signalling): boolean {
  return reach.kind === 'here' && reach.signalling === signalling
}
