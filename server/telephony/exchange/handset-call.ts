import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import { readBrowserSdp } from './browser-sdp.ts'
import { CallAudio } from './call-audio.ts'
import { deadlines, nextDeadline } from './call-state.ts'
import { farEndError } from './endings.ts'
import type { EndpointCall, EndpointControl } from './endpoints/endpoint.ts'
import { messageFrame } from './frames.ts'
import type { Logger } from './logger.ts'
import type { AudioPacket } from './media/audio-packet.ts'
import { type Digit, isDigit } from './media/clips.ts'
import type { MediaAddress } from './media/media-address.ts'
import { type Signalling, SignallingPath } from './signalling-path.ts'
import { TextRelay } from './text-relay.ts'

const unusableSdp = 'an SDP of a handset could not be used'

export interface HandsetCallServices {
  readonly address: () => MediaAddress
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

export interface HandsetCallOptions {
  readonly control: EndpointControl
  readonly signalling: Signalling
  readonly number: string
  readonly onOver: () => void
}

type HandsetCallState =
  /** Not ringing: the caller's audio is not connected, or our offer is not made yet. */
  | { readonly kind: 'reserved' }
  | { readonly kind: 'ringing' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'talking'; readonly sinceMs: number }
  | { readonly kind: 'over' }

/** The handset's half of a call. The call's state and end belong to the caller's half, which calls `ended`. */
export class HandsetCall implements EndpointCall {
  readonly #services: HandsetCallServices
  readonly #control: EndpointControl
  readonly #number: string
  readonly #onOver: () => void
  readonly #path: SignallingPath
  readonly #audio: CallAudio
  readonly #textOut: TextRelay
  readonly #textIn: TextRelay
  #state: HandsetCallState = { kind: 'reserved' }
  #messages = 0
  #digits = ''

  constructor(services: HandsetCallServices, { control, signalling, number, onOver }: HandsetCallOptions) {
    this.#services = services
    this.#control = control
    this.#number = number
    this.#onOver = onOver
    this.#path = new SignallingPath(signalling, services.random)
    this.#textOut = new TextRelay(services.clock)
    this.#textIn = new TextRelay(services.clock)
    this.#audio = new CallAudio({
      address: services.address(),
      clock: services.clock,
      onConnected: () => this.#talk(),
      onAudio: packet => this.#control.relay(packet),
      onLoss: fractionLost => this.#control.reportLoss(fractionLost),
    })
    this.#audio.startRelay()
  }

  get callId(): string {
    return this.#control.call.callId
  }

  /** The caller's audio is connected, so the handset may ring. */
  connected(): void {
    // Mu-law beside Opus, for tones and silence. Opus only where the caller has it: nothing is transcoded.
    this.#audio.offer(this.#control.codecs()).then(
      sdp => this.#ring(sayIceLite(sdp)),
      error => this.#fail(error, 'a handset could not be called'),
    )
  }

  digit(digit: Digit): void {
    if (this.#state.kind !== 'talking') return
    this.#audio.sound(digit)
    this.#digits += digit
    this.#tellDigits(this.#digits.length - 1)
  }

  text(message: RealTimeText): void {
    if (this.#state.kind === 'talking' && this.#textIn.admits(message)) this.#send(message)
  }

  audio(packet: AudioPacket): void {
    if (this.#state.kind === 'talking') this.#audio.relay(packet)
  }

  loss(fractionLost: number): void {
    this.#audio.reportLoss(fractionLost)
  }

  tick(frame: number): void {
    this.#audio.tick(frame)
    if (this.#state.kind !== 'talking') return
    const overdue = nextDeadline(
      {
        kind: 'answered',
        answeredAtMs: this.#state.sinceMs,
        limitMs: Number.POSITIVE_INFINITY,
        billed: false,
      },
      {
        heardAtMs: this.#audio.heardAtMs,
        quiet: this.#audio.isQuiet,
        signallingLostAtMs: this.#path.lostAtMs,
      },
    )
    if (overdue === undefined || overdue.dueAtMs > this.#services.clock.monotonicMs()) return
    this.#control.hangUp('connection_lost', overdue.endedAtMs)
  }

  ended(end: CarrierCause): void {
    const { kind } = this.#state
    if (kind === 'over') return
    this.#state = { kind: 'over' }
    const error = farEndError(end)
    // A client listens only for `cancel` before it picks up, and for `hangup` afterwards.
    if (kind === 'ringing') this.#path.send({ type: 'cancel', payload: { callsid: this.callId } })
    else if (kind !== 'reserved') {
      this.#path.send({ type: 'hangup', payload: { callsid: this.callId, ...(error && { error }) } })
    }
    this.#audio
      .close()
      .catch(cause =>
        this.#services.log.warn({ callId: this.callId, err: cause }, 'could not close the audio of a call'),
      )
    this.#onOver()
  }

  /** The handset was picked up. The call counts as answered once both sides are connected. */
  pickedUp(sdp: string): void {
    if (this.#state.kind !== 'ringing') return
    this.#state = { kind: 'connecting' }
    this.#control.after(deadlines.connectingMs, () => {
      if (this.#state.kind === 'connecting') this.#control.hangUp('failed')
    })
    const answer = readBrowserSdp(sdp)
    if (answer === undefined) {
      this.#services.log.warn({ callId: this.callId }, unusableSdp)
      this.#control.hangUp('failed')
      return
    }
    this.#audio.accept(answer).then(
      () => this.#requireSharedCodec(),
      error => this.#fail(error, unusableSdp),
    )
  }

  declined(): void {
    if (this.#state.kind === 'ringing') this.#control.hangUp('declined')
  }

  hungUp(): void {
    this.#control.hangUp(this.#state.kind === 'talking' ? 'callee_hung_up' : 'declined')
  }

  press(digits: string): void {
    if (this.#state.kind !== 'talking') return
    for (const digit of digits) if (isDigit(digit)) this.#control.sound(digit)
  }

  /** Real-time text that was typed at the handset, or an acknowledgement of the caller's. */
  textTyped(message: RealTimeText): void {
    if (this.#state.kind === 'talking' && this.#textOut.admits(message)) this.#control.text?.(message)
  }

  reoffer(offer: string): void {
    if (!this.#isPickedUp) return
    const sdp = readBrowserSdp(offer)
    if (sdp === undefined) {
      this.#services.log.warn({ callId: this.callId }, unusableSdp)
      return
    }
    this.#audio.answer(sdp, []).then(
      answer => this.#tellAnswered(answer),
      error => this.#services.log.warn({ callId: this.callId, err: error }, unusableSdp),
    )
  }

  resume(signalling: Signalling, reconnectToken: string): boolean {
    if (!this.#isPickedUp || !this.#path.resume(signalling, reconnectToken)) return false
    this.#tellAnswered()
    // Earlier messages may have gone to a broken socket.
    if (this.#digits !== '') this.#tellDigits(0)
    this.#offerText()
    return true
  }

  /** A socket was closed. While ringing the client then abandons the call; later it reconnects. */
  signallingLost(signalling: Signalling): void {
    if (!this.#path.lose(signalling, this.#services.clock.monotonicMs())) return
    if (!this.#isPickedUp) this.#control.hangUp('no_answer')
  }

  get #isPickedUp(): boolean {
    return this.#state.kind === 'connecting' || this.#state.kind === 'talking'
  }

  #ring(sdp: string): void {
    if (this.#state.kind !== 'reserved') return
    this.#state = { kind: 'ringing' }
    const { callId, from } = this.#control.call
    this.#path.send({
      type: 'invite',
      payload: {
        callsid: callId,
        sdp,
        parameters: {
          From: from,
          To: this.#number,
          CallSid: callId,
          Params: '',
        },
        reconnect: this.#path.reconnectToken,
      },
    })
  }

  /** Each side sends its best negotiated codec; if these differ, neither can decode the other. */
  #requireSharedCodec(): void {
    if (this.#state.kind === 'over' || this.#audio.codecs[0] === this.#control.codecs()[0]) return
    this.#fail(new Error('no codec in common'), 'browser and handset have no codec in common')
  }

  #talk(): void {
    if (this.#state.kind !== 'connecting') return
    this.#state = { kind: 'talking', sinceMs: this.#services.clock.monotonicMs() }
    this.#control.startRelay()
    this.#control.answer()
    this.#control.text?.({ received: 0 })
    this.#offerText()
  }

  /** Says that the other page shows text; a verification call has none. */
  #offerText(): void {
    if (this.#state.kind === 'talking' && this.#control.text !== undefined) this.#send({ received: 0 })
  }

  #fail(error: unknown, message: string): void {
    if (this.#state.kind === 'over') return
    this.#services.log.warn({ callId: this.callId, err: error }, message)
    this.#control.hangUp('failed')
  }

  /** @param from index of the first digit sent */
  #tellDigits(from: number): void {
    this.#send({ digits: this.#digits.slice(from), from })
  }

  #send(content: Parameters<typeof messageFrame>[2]): void {
    this.#messages += 1
    this.#path.send(messageFrame(this.callId, this.#messages, content))
  }

  #tellAnswered(sdp?: string): void {
    const payload = {
      callsid: this.callId,
      reconnect: this.#path.reconnectToken,
      ...(sdp !== undefined && { sdp }),
    }
    this.#path.send({ type: 'answer', payload })
  }
}

/**
 * Our offer says it of the medium alone. There Firefox does not read it (RFC 8839, section 5.3), and waits for our checks, which an
 * ICE-lite side never sends. Offers to rtpengine stay as they are: with it said of the session,
 * numbers verified over a trunk had no sound.
 */
function sayIceLite(offer: string): string {
  return offer.replace(/^a=ice-lite\r?\n/m, '').replace(/^m=/m, 'a=ice-lite\r\nm=')
}
