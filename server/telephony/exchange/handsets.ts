import { readRealTimeText } from '#lib/calls/real-time-text.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { callUnknown, notAuthenticated } from './endings.ts'
import type { Endpoint, EndpointCall, EndpointControl } from './endpoints/endpoint.ts'
import { handsetLine, rejectingLine } from './endpoints/simple-lines.ts'
import { replyToMessage } from './frames.ts'
import { HandsetCall, type HandsetCallServices } from './handset-call.ts'
import type { CallFrame } from './session.ts'
import type { Signalling } from './signalling-path.ts'
import type { HandsetClaim } from './tokens.ts'

/** How long a claim outlives its socket: a client reconnects within a second or two, a reloaded page does not. */
const graceMs = 10_000
const maxHandsets = 100

interface Handset {
  claim: HandsetClaim
  reach:
    | { readonly kind: 'here'; readonly signalling: Signalling }
    | { readonly kind: 'away'; readonly sinceMs: number }
}

export class Handsets {
  readonly #services: HandsetCallServices
  readonly #handsets = new Map<string, Handset>()
  /** Live calls by handset id, one each at most. They outlive the claim. */
  readonly #calls = new Map<string, HandsetCall>()
  readonly #away = rejectingLine('no_answer')
  readonly #busy = rejectingLine('busy')

  constructor(services: HandsetCallServices) {
    this.#services = services
  }

  claims(): readonly HandsetClaim[] {
    this.#forget()
    return [...this.#handsets.values()].map(({ claim }) => claim)
  }

  /** One that already has the number keeps its place. A number counts as taken only while a handset is reachable there. */
  claim(claim: HandsetClaim): Result<void, 'number_taken' | 'too_many_handsets'> {
    this.#forget()
    const owner = this.#at(claim.number)
    if (owner !== undefined && owner.claim.handsetId !== claim.handsetId) {
      if (owner.reach.kind === 'here' || this.#calls.has(owner.claim.handsetId))
        return failure('number_taken')
      this.#handsets.delete(owner.claim.handsetId)
    }
    const known = this.#handsets.get(claim.handsetId)
    if (known !== undefined) {
      known.claim = claim
      return success(undefined)
    }
    if (this.#handsets.size >= maxHandsets) return failure('too_many_handsets')
    const reach = { kind: 'away', sinceMs: this.#services.clock.monotonicMs() } as const
    this.#handsets.set(claim.handsetId, { claim, reach })
    return success(undefined)
  }

  /** The latest claim counts; one lost in a restart is restored from the token. @returns false if another has it */
  register(signalling: Signalling, claim: HandsetClaim): boolean {
    this.#forget()
    if (!this.#handsets.has(claim.handsetId) && !this.claim(claim).ok) return false
    const handset = this.#handsets.get(claim.handsetId)
    if (handset === undefined) return false
    handset.reach = { kind: 'here', signalling }
    return true
  }

  unregister(signalling: Signalling): void {
    for (const [handsetId, handset] of this.#handsets) {
      if (isReachedBy(handset, signalling)) this.#handsets.delete(handsetId)
    }
  }

  /** A socket was closed. The claim waits for the next one, and a call that was picked up waits longer. */
  lost(signalling: Signalling): void {
    this.away(signalling)
    for (const call of this.#calls.values()) call.signallingLost(signalling)
  }

  away(signalling: Signalling): void {
    const sinceMs = this.#services.clock.monotonicMs()
    for (const handset of this.#handsets.values()) {
      if (isReachedBy(handset, signalling)) handset.reach = { kind: 'away', sinceMs }
    }
  }

  /** The endpoint behind a number; undefined when no handset has claimed it. */
  lineOf(number: string): Endpoint | undefined {
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
        // Handsets place no calls: their token is not a caller's.
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
      case 'message': {
        signalling.send(replyToMessage(frame))
        const text = readRealTimeText(frame.payload.content)
        if (text !== undefined) call?.textTyped(text)
        return
      }
      default:
        frame satisfies never
    }
  }

  #call({ handsetId, number }: HandsetClaim, signalling: Signalling, control: EndpointControl): EndpointCall {
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
