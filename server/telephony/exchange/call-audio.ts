import type { Clock } from '../../clock.ts'
import { type Level, LevelMeter } from './media/level-meter.ts'
import type { MediaAddress } from './media/media-address.ts'
import { type Codec, MediaLeg } from './media/media-leg.ts'
import { Player } from './media/player.ts'

/** One direction of a call's audio. The level is that of the last 500 ms. */
export interface StreamObservation {
  readonly packets: number
  readonly level: Level
}

export interface CallAudioOptions {
  readonly address: MediaAddress
  readonly clock: Clock
  readonly onConnected: () => void
  readonly onAudio: (payload: Buffer) => void
}

/** So many frames without a packet mean that the packets have stopped, whatever the clock says: 500 ms. */
const quietAfterFrames = 25

/** A call's audio both ways, and when the caller was last heard. */
export class CallAudio {
  readonly player = new Player()
  readonly #options: CallAudioOptions
  readonly #received = new LevelMeter()
  readonly #sent = new LevelMeter()
  #leg: MediaLeg | undefined
  #state: 'opening' | 'connected' | 'closed' = 'opening'
  #cut = false
  #quietFrames = 0
  #heardAtMs: number | undefined

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

  get isOpen(): boolean {
    return this.#leg !== undefined
  }

  observe(): { readonly received: StreamObservation; readonly sent: StreamObservation } {
    const stream = (meter: LevelMeter) => ({ packets: meter.packets, level: meter.level() })
    return { received: stream(this.#received), sent: stream(this.#sent) }
  }

  /**
   * The SDP answer to the caller's offer, or to a later one.
   * @throws UnusableOfferError when there is nothing in it that we could talk to.
   */
  async answer(offer: string, codecs: readonly Codec[]): Promise<string> {
    this.#leg ??= new MediaLeg({
      address: this.#options.address,
      codecs,
      onConnected: () => this.#connect(),
      onAudio: payload => this.#hear(payload),
    })
    return await this.#leg.answer(offer)
  }

  /** Once every 20 ms: sends what plays, silence included, from the moment that the caller can hear it. */
  tick(frame: number): void {
    this.#quietFrames += 1
    if (this.#state !== 'connected' || this.#cut) return
    const payload = this.player.next()
    this.#sent.add(payload)
    this.#leg?.send(payload, frame)
  }

  /** From here on nothing is sent, not even silence; what comes is still heard. */
  cut(): void {
    this.#cut = true
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    await this.#leg?.close()
  }

  #connect(): void {
    if (this.#state !== 'opening') return
    this.#state = 'connected'
    this.#options.onConnected()
  }

  #hear(payload: Buffer): void {
    if (this.#state === 'closed') return
    this.#quietFrames = 0
    this.#heardAtMs = this.#options.clock.monotonicMs()
    this.#received.add(payload)
    this.#options.onAudio(payload)
  }
}
