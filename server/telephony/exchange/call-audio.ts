import type { Clock } from '../../process/clock.ts'
import type { BrowserSdp } from './browser-sdp.ts'
import type { AudioPacket, Codec } from './media/audio-packet.ts'
import type { Digit } from './media/clips.ts'
import { StreamMeter, type StreamObservation } from './media/level-meter.ts'
import type { MediaAddress } from './media/media-address.ts'
import { MediaLeg } from './media/media-leg.ts'
import { silentFrame } from './media/mulaw.ts'
import { Player } from './media/player.ts'
import { digitPause, digitTone } from './media/tones.ts'

export interface CallAudioOptions {
  readonly address: MediaAddress
  readonly clock: Clock
  readonly onConnected: () => void
  readonly onAudio: (packet: AudioPacket) => void
  /** A key that the other side sends as an RTP event. Undefined: such events are not negotiated. */
  readonly onKey?: (digit: Digit) => void
  readonly onLoss: (fractionLost: number) => void
}

/** Frames (500 ms) without a packet after which audio has stopped, whatever the clock says. */
const quietAfterFrames = 25
/** 10 s of tones; further keys are dropped. */
const maxToneFrames = 500

export class CallAudio {
  readonly player = new Player()
  readonly #options: CallAudioOptions
  readonly #received = new StreamMeter()
  readonly #sent = new StreamMeter()
  readonly #tones: Buffer[] = []
  #leg: MediaLeg | undefined
  #state: 'opening' | 'connected' | 'closed' = 'opening'
  #sending: 'player' | 'relay' | 'nothing' = 'player'
  #frame = 0
  #quietFrames = 0
  #framesWithoutRelay = 0
  #heardAtMs: number | undefined
  #answered = false
  #passedOn = false

  constructor(options: CallAudioOptions) {
    this.#options = options
  }

  /** When the last packet came, in monotonic milliseconds; undefined before the first. */
  get heardAtMs(): number | undefined {
    return this.#heardAtMs
  }

  get isQuiet(): boolean {
    return this.#quietFrames >= quietAfterFrames
  }

  /** Whether any packet of the callee has gone to this browser since the answer, silence included. */
  get hasPassedOn(): boolean {
    return this.#passedOn
  }

  get isOpen(): boolean {
    return this.#leg !== undefined
  }

  /** The negotiated codecs, best first; empty before that. */
  get codecs(): readonly Codec[] {
    return this.#leg?.codecs ?? []
  }

  observe(): { readonly received: StreamObservation; readonly sent: StreamObservation } {
    return { received: this.#received.observe(), sent: this.#sent.observe() }
  }

  /** Answers a first or later offer; codecs stay those of the first. @throws UnusableOfferError, NoSocketError */
  async answer(offer: BrowserSdp, codecs: readonly Codec[]): Promise<string> {
    return await this.#open(codecs).answer(offer)
  }

  /** Our SDP offer to a browser that is called. @throws NoSocketError */
  async offer(codecs: readonly Codec[]): Promise<string> {
    return await this.#open(codecs).offer()
  }

  /** Applies the answer to our offer. @throws UnusableOfferError when it has none of our codecs */
  async accept(answer: BrowserSdp): Promise<void> {
    await this.#leg?.accept(answer)
  }

  /** Every 20 ms: sends the next frame, silence included, once the path is connected. */
  tick(frame: number): void {
    this.#frame = frame
    this.#quietFrames += 1
    this.#framesWithoutRelay += 1
    if (this.#state !== 'connected' || this.#sending === 'nothing') return
    const tone = this.#tones.shift()
    if (tone !== undefined) this.#send(tone)
    else if (this.#sending === 'player') {
      this.#send(this.player.next())
      if (this.#answered) this.#passedOn = true
    }
    // Without any packets a client warns and restarts its connection.
    else if (this.#framesWithoutRelay > quietAfterFrames) this.#send(silentFrame)
  }

  /** From here on the outgoing audio is the callee's; before, it was ringback. */
  answered(): void {
    this.#answered = true
  }

  startRelay(): void {
    if (this.#sending === 'player') this.#sending = 'relay'
  }

  relay(packet: AudioPacket): void {
    if (this.#state !== 'connected' || this.#sending !== 'relay') return
    this.#framesWithoutRelay = 0
    if (this.#tones.length > 0) return
    if (!this.#leg?.relay(packet, this.#frame)) return
    this.#sent.add(packet.codec, packet.payload)
    if (this.#answered) this.#passedOn = true
  }

  /** Queues a key's tone, which replaces all other audio. Needs mu-law. */
  sound(digit: Digit): void {
    if (this.#state !== 'connected' || !this.codecs.includes('pcmu')) return
    if (this.#tones.length > maxToneFrames) return
    if (this.#tones.length > 0) this.#tones.push(...digitPause)
    this.#tones.push(...digitTone(digit))
  }

  reportLoss(fractionLost: number): void {
    this.#leg?.reportLoss(fractionLost)
  }

  /** Stops sending, even silence; incoming audio still counts. */
  cut(): void {
    this.#sending = 'nothing'
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    await this.#leg?.close()
  }

  #open(codecs: readonly Codec[]): MediaLeg {
    this.#leg ??= new MediaLeg({
      address: this.#options.address,
      codecs,
      onConnected: () => this.#connect(),
      onAudio: packet => this.#hear(packet),
      onKey: this.#options.onKey,
      onLoss: this.#options.onLoss,
    })
    return this.#leg
  }

  #send(payload: Buffer): void {
    if (this.#leg?.send(payload, this.#frame)) this.#sent.add('pcmu', payload)
  }

  #connect(): void {
    if (this.#state !== 'opening') return
    this.#state = 'connected'
    this.#options.onConnected()
  }

  #hear(packet: AudioPacket): void {
    if (this.#state === 'closed') return
    this.#quietFrames = 0
    this.#heardAtMs = this.#options.clock.monotonicMs()
    this.#received.add(packet.codec, packet.payload)
    this.#options.onAudio(packet)
  }
}
