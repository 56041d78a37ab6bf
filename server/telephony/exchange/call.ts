import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { CallInspection, Placement } from '../port.ts'
import { readBrowserSdp } from './browser-sdp.ts'
import type { CallObservation, CallServices, Invitation } from './call-contract.ts'
import {
  answeredMs,
  type CallState,
  type CallStep,
  forsakenAt,
  nextDeadline,
  step,
  type Vitals,
} from './call-state.ts'
import { endError, mediaFailed, rejectionError } from './endings.ts'
import type { FarSide } from './far-side.ts'
import { messageFrame, type WireError } from './frames.ts'
import { LineTimers } from './line-timers.ts'
import { isDigit } from './media/clips.ts'
import type { StreamObservation } from './media/level-meter.ts'
import { Reporter } from './reporter.ts'
import { type Signalling, SignallingPath } from './signalling-path.ts'

const maxDigits = 10_000
const unusableOffer = 'an SDP offer of a browser could not be used'
/** Of a call that was not admitted. */
const nothingSent: StreamObservation = { packets: 0, level: null }

/** `#state` has one writer, `#advance`; everything else is an effect of a step, or an event that leads to one. */
export class ExchangeCall {
  readonly userId: string
  /** Resolves once the call is over and the call service has applied its end. */
  readonly over: Promise<void>

  readonly #services: CallServices
  readonly #temporaryId: string
  readonly #offer: string
  readonly #reporter: Reporter
  readonly #path: SignallingPath
  readonly #timers: LineTimers
  readonly #ended = Promise.withResolvers<void>()
  readonly #onFrame = (frame: number): void => this.#tick(frame)

  #state: CallState
  #callId: string | undefined
  #wireId: string
  /** From the admission on. */
  #far: FarSide | undefined
  #answerWanted = false
  #digits = ''
  /** How many messages went to the browser; none where nobody can read what it types. */
  #messages = 0

  constructor(services: CallServices, signalling: Signalling, invitation: Invitation) {
    this.userId = invitation.userId
    this.#services = services
    this.#path = new SignallingPath(signalling, services.random)
    this.#temporaryId = invitation.temporaryId
    this.#wireId = invitation.temporaryId
    this.#offer = invitation.offer
    this.#reporter = new Reporter(services.control, services.log)
    this.#timers = new LineTimers(services.clock)
    this.#state = { kind: 'placing', sinceMs: services.clock.monotonicMs() }
    services.ticker.add(this.#onFrame)
    this.over = this.#run(invitation)
  }

  get callId(): string | undefined {
    return this.#callId
  }

  get isLive(): boolean {
    return this.#state.kind !== 'ended'
  }

  isNamed(callsid: string): boolean {
    return callsid === this.#callId || callsid === this.#temporaryId
  }

  inspect(): Exclude<CallInspection, { readonly kind: 'unknown' }> {
    const lasted = answeredMs(this.#state, this.#services.clock.monotonicMs())
    return this.#state.kind === 'ended'
      ? { kind: 'ended', answeredMs: lasted, end: this.#state.end }
      : { kind: 'live', answeredMs: lasted }
  }

  observe(): CallObservation {
    return { digits: this.#digits, ...(this.#far?.observe() ?? { received: nothingSent, sent: nothingSent }) }
  }

  callerHungUp(): void {
    this.end(this.#state.kind === 'answered' ? 'caller_hung_up' : 'cancelled')
  }

  /** Digits from the caller; the client itself handles pauses (`w`). */
  press(digits: string): void {
    for (const digit of digits) {
      if (this.#state.kind !== 'answered' || this.#digits.length >= maxDigits) return
      if (!isDigit(digit)) continue
      this.#digits += digit
      this.#far?.press(digit)
    }
  }

  /** Real-time text that the caller typed, or an acknowledgement of the callee's. */
  text(message: RealTimeText): void {
    if (this.#state.kind === 'answered') this.#far?.text?.(message)
  }

  /** A new offer within the call: an ICE restart. The client repeats an unanswered one. */
  reoffer(offer: string): void {
    if (!this.#far?.isOpen || !this.isLive) return
    const sdp = readBrowserSdp(offer)
    if (sdp === undefined) {
      this.#services.log.warn({ callId: this.#callId }, unusableOffer)
      return
    }
    this.#far.answer(sdp).then(
      answer => {
        if (answer !== undefined) this.#path.sendAnswer(this.#wireId, answer)
      },
      error => this.#services.log.warn({ callId: this.#callId, err: error }, unusableOffer),
    )
  }

  /** Repeatable. @returns false when the token is not this call's, or the call was not answered */
  resume(signalling: Signalling, reconnectToken: string): boolean {
    if (this.#state.kind !== 'answered' || !this.#path.resume(signalling, reconnectToken)) return false
    this.#path.sendAnswer(this.#wireId)
    // The first may have gone to a broken socket.
    if (this.#messages > 0) this.#sendText({ received: 0 })
    return true
  }

  /** A socket was closed. Before the answer the client then abandons the call; afterwards it reconnects. */
  signallingLost(signalling: Signalling): void {
    const lost = this.#path.lose(signalling, this.#timers.nowMs())
    if (lost && this.#state.kind !== 'answered') this.end('connection_lost')
  }

  /**
   * The user places a new call. If they were not heard in this one for a while (a crashed tab), it ends.
   * @returns whether it ended
   */
  dialledAnew(): boolean {
    const atMs = forsakenAt(this.#state, this.#vitals(), this.#timers.nowMs())
    if (atMs === undefined) return false
    this.end('connection_lost', { atMs })
    return true
  }

  setLimit(limitMs: number): void {
    if (this.#advance({ kind: 'limit_moved', limitMs })) this.#far?.setLimit?.(limitMs)
  }

  /** Ends the call as of `atMs`, unless it has ended, and sends the reason to the client. */
  end(end: CarrierCause, details: { readonly atMs?: number; readonly error?: WireError } = {}): void {
    if (!this.#advance({ kind: 'ended', end, atMs: details.atMs ?? this.#timers.nowMs() })) return
    const { ticker, log } = this.#services
    ticker.remove(this.#onFrame)
    this.#timers.clear()
    this.#far
      ?.ended(end)
      .catch(cause => log.warn({ callId: this.#callId, err: cause }, 'could not end the far side of a call'))
    const error = details.error ?? endError(end)
    if (end !== 'caller_hung_up' && end !== 'cancelled') {
      this.#path.send({ type: 'hangup', payload: { callsid: this.#wireId, ...(error && { error }) } })
    }
    log.info({ callId: this.#callId, end, code: error?.code }, 'call ended')
    this.#reportEnd()
    this.#ended.resolve()
  }

  async #run(invitation: Invitation): Promise<void> {
    try {
      await this.#place(invitation)
    } catch (error) {
      this.#fail(error, 'a call could not be placed')
    }
    await this.#ended.promise
    await this.#reporter.drained()
    void this.#passOnRecord()
  }

  async #place({ earlier, ...invitation }: Invitation): Promise<void> {
    await earlier
    const { userId, sessionId, to, callerId, attempt, purpose, expectsFree, expectsRateMicroUsd } = invitation
    const asked = { userId, sessionId, to, callerId, attempt, purpose, expectsFree, expectsRateMicroUsd }
    const placement = await this.#services.control.place(asked)
    if (placement.kind === 'refuse') {
      this.end('failed', { error: rejectionError(placement.code, placement.message) })
      return
    }
    this.#callId = placement.callId
    const far = this.#connect(placement)
    if (far === undefined) return
    const { limitMs } = placement
    if (
      this.#advance({ kind: 'placed', atMs: this.#timers.nowMs(), limitMs, ringWithinMs: far.ringWithinMs })
    ) {
      this.#far = far
      far.begin()
    } else {
      // It ended during admission; only now is its id known.
      this.#reportEnd()
    }
  }

  /** @returns undefined when the browser's offer cannot be used: the call has failed */
  #connect(placement: Extract<Placement, { readonly kind: 'connect' }>): FarSide | undefined {
    const { callId, to, from, limitMs, rateMicroUsd } = placement
    const offer = readBrowserSdp(this.#offer)
    if (offer === undefined) {
      this.#services.log.warn({ callId }, unusableOffer)
      // It may have ended during admission; only now is its id known.
      if (this.isLive) this.end('failed', { error: mediaFailed() })
      else this.#reportEnd()
      return undefined
    }
    const { clock, farSide } = this.#services
    return farSide({
      ...{ callId, to, from, limitMs, rateMicroUsd, clock },
      offer,
      timers: this.#timers,
      events: {
        rang: sdp => this.#rang(sdp),
        unusableOffer: error => this.#fail(error, unusableOffer, 'failed'),
        connected: then => this.#audioConnected(then),
        answered: billedFromMs => {
          if (billedFromMs !== undefined) return this.#answer(billedFromMs, true)
          this.#answerWanted = true
          this.#answerIfPossible()
        },
        text: message => this.#sendText(message),
        hungUp: (end, atMs) => this.end(end, atMs === undefined ? {} : { atMs }),
      },
    })
  }

  #rang(sdp: string): void {
    if (this.#callId === undefined) return
    const rings = this.#advance({ kind: 'rang', atMs: this.#timers.nowMs() })
    // A carrier's answer counts as soon as it comes, before the browser has the sound of it.
    if (!rings && this.#state.kind !== 'answered') return
    this.#wireId = this.#callId
    this.#path.send({ type: 'ringing', payload: { callsid: this.#wireId, sdp } })
    if (rings) this.#reporter.report({ kind: 'ringing', callId: this.#callId })
    else this.#path.sendAnswer(this.#wireId)
  }

  #audioConnected(then: () => void): void {
    if (!this.#advance({ kind: 'audio_connected' })) return
    this.#timers.runNow(() => {
      then()
      this.#answerIfPossible()
    })
  }

  #answerIfPossible(): void {
    if (this.#answerWanted) this.#answer(this.#timers.nowMs(), false)
  }

  #answer(atMs: number, billed: boolean): void {
    if (this.#callId === undefined || !this.#advance({ kind: 'answered', atMs, billed })) return
    this.#far?.answered(atMs)
    // Otherwise `#rang` sends it, after the sound's description.
    if (this.#far?.isOpen) this.#path.sendAnswer(this.#wireId)
    this.#reporter.report({ kind: 'answered', callId: this.#callId })
  }

  #sendText(message: RealTimeText): void {
    if (this.#state.kind !== 'answered') return
    this.#messages += 1
    this.#path.send(messageFrame(this.#wireId, this.#messages, message))
  }

  #tick(frame: number): void {
    try {
      this.#runDue(this.#services.clock.monotonicMs())
      this.#far?.tick(frame)
    } catch (error) {
      this.#fail(error, 'a call failed')
    }
  }

  #runDue(nowMs: number): void {
    while (this.isLive) {
      const deadline = nextDeadline(this.#state, this.#vitals())
      const deadlineAtMs = deadline?.dueAtMs ?? Number.POSITIVE_INFINITY
      if (this.#timers.nextDueAtMs <= Math.min(nowMs, deadlineAtMs)) this.#timers.runNext()
      else if (deadline !== undefined && deadlineAtMs <= nowMs) {
        // It rang, but the browser's sound did not connect.
        const isMedia = this.#state.kind === 'ringing' && deadline.end === 'failed'
        this.end(deadline.end, { atMs: deadline.endedAtMs, ...(isMedia && { error: mediaFailed() }) })
      } else return
    }
  }

  #vitals(): Vitals {
    return {
      heardAtMs: this.#far?.heardAtMs,
      quiet: this.#far?.isQuiet ?? false,
      signallingLostAtMs: this.#path.lostAtMs,
    }
  }

  /** The only writer of `#state`. @returns whether the step changed it */
  #advance(event: CallStep): boolean {
    const before = this.#state
    this.#state = step(before, event)
    return this.#state !== before
  }

  /** @param end `failed`: by the browser's sound. `service_failed`: by us. */
  #fail(error: unknown, message: string, end: 'failed' | 'service_failed' = 'service_failed'): void {
    if (!this.isLive) return
    this.#services.log.error({ callId: this.#callId, err: error }, message)
    this.end(end, end === 'failed' ? { error: mediaFailed() } : {})
  }

  #reportEnd(): void {
    if (this.#callId === undefined || this.#state.kind !== 'ended') return
    const { end, answeredMs: lasted } = this.#state
    const { hasPassedOn = false, hasHeardCaller } = this.#far ?? {}
    const heard = {
      heard: hasPassedOn,
      ...(hasHeardCaller !== undefined && { callerHeard: hasHeardCaller }),
    }
    this.#reporter.report({
      ...{ kind: 'ended', callId: this.#callId, answeredMs: lasted, end },
      ...(lasted !== null && heard),
    })
  }

  /** Once the call is settled: what others recorded of it. Once, since a comparison that fails changes nothing. */
  async #passOnRecord(): Promise<void> {
    const { control, log } = this.#services
    try {
      const answeredMs = await this.#far?.recordedMs?.()
      if (this.#callId === undefined || answeredMs === undefined) return
      await control.report({ kind: 'recorded', callId: this.#callId, answeredMs })
    } catch (error) {
      log.warn({ callId: this.#callId, err: error }, 'the record of a call could not be compared')
    }
  }
}
