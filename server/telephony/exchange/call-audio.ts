import type { Clock } from '../../clock.ts'
import type { AudioPacket, Codec } from './media/audio-packet.ts'
import type { Digit } from './media/clips.ts'
import { silentFrame } from './media/frames.ts'
import type { MediaAddress } from './media/media-address.ts'
import { MediaLeg } from './media/media-leg.ts'
import { Player } from './media/player.ts'
import { StreamMeter, type StreamObservation } from './media/stream-meter.ts'
import { digitPause, digitTone } from './media/tones.ts'

export interface CallAudioOptions {
  readonly address: MediaAddress
  readonly clock: Clock
  readonly onConnected: () => void
  readonly onAudio: (packet: AudioPacket) => void
}

/** So many frames without a packet mean that the packets have stopped, whatever the clock says: 500 ms. */
const quietAfterFrames = 25
/** 10 s of tones; the keys that follow are not heard. */
const mostToneFrames = 500

/** One browser's audio both ways, and when it was last heard. */
export class CallAudio {
  readonly player = new Player()
  readonly #options: CallAudioOptions
  readonly #received = new StreamMeter()
  readonly #sent = new StreamMeter()
  /** Frames of keys' tones that wait to be sent. */
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

  /** When the last packet came, by the server's clock; undefined before the first. */
  get heardAtMs(): number | undefined {
    return this.#heardAtMs
  }

  /** Whether packets have stopped coming for half a second of real time. */
  get isQuiet(): boolean {
    return this.#quietFrames >= quietAfterFrames
  }

  /** Whether a packet of the line's has gone to this browser since the answer, silence counting as any other. */
  get hasPassedOn(): boolean {
    return this.#passedOn
  }

  get isOpen(): boolean {
    return this.#leg !== undefined
  }

  /** What both ends speak, best first; empty before they have agreed. */
  get codecs(): readonly Codec[] {
    return this.#leg?.codecs ?? []
  }

  observe(): { readonly received: StreamObservation; readonly sent: StreamObservation } {
    return { received: this.#received.observe(), sent: this.#sent.observe() }
  }

  /**
   * The SDP answer to the browser's offer, or to a later one. The codecs are those of the first negotiation.
   * @throws UnusableOfferError when there is nothing in it that we could talk to, NoSocketError.
   */
  async answer(offer: string, codecs: readonly Codec[]): Promise<string> {
    return await this.#open(codecs).answer(offer)
  }

  /** Our SDP offer to a browser that is called. @throws NoSocketError. */
  async offer(codecs: readonly Codec[]): Promise<string> {
    return await this.#open(codecs).offer()
  }

  /** Takes the answer to our offer. @throws UnusableOfferError when no codec of ours is in it. */
  async accept(answer: string): Promise<void> {
    await this.#leg?.accept(answer)
  }

  /** Once every 20 ms: sends what is due, silence included, from the moment that it can be heard. */
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
    // A client warns, and restarts its connection, when it gets no packets at all.
    else if (this.#framesWithoutRelay > quietAfterFrames) this.#send(silentFrame)
  }

  /** From here on what goes out is the line's: before, it rang. */
  answered(): void {
    this.#answered = true
  }

  /** From here on what `relay` brings is sent in place of what plays. */
  startRelay(): void {
    if (this.#sending === 'player') this.#sending = 'relay'
  }

  /** Passes on a packet of the other browser, unless a tone takes its place. */
  relay(packet: AudioPacket): void {
    if (this.#state !== 'connected' || this.#sending !== 'relay') return
    this.#framesWithoutRelay = 0
    if (this.#tones.length > 0) return
    if (!this.#leg?.relay(packet, this.#frame)) return
    this.#sent.add(packet.codec, packet.payload)
    if (this.#answered) this.#passedOn = true
  }

  /** Lets the tone of a key be heard, in place of all else; one after the other. Mu-law has to be agreed on. */
  sound(digit: Digit): void {
    if (this.#state !== 'connected' || !this.codecs.includes('pcmu')) return
    if (this.#tones.length > mostToneFrames) return
    if (this.#tones.length > 0) this.#tones.push(...digitPause)
    this.#tones.push(...digitTone(digit))
  }

  /** From here on nothing is sent, not even silence; what comes is still heard. */
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
