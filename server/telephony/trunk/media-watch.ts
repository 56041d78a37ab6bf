import type { Clock } from '../../process/clock.ts'
import type { StreamObservation } from '../exchange/media/level-meter.ts'
import type { MediaCounts } from './media-host.ts'

/** Frames of 20 ms between two looks at what the media host has received: while the browser is to be heard, and once it is. */
export const framesUntilHeard = 5
const framesBetweenLooks = 50
/** Two seconds without a packet of the browser, after which it is quiet. */
const quietAfterFrames = 100

/** A call's sound, by the packets that the media host has counted: the sound itself never comes here. */
export class MediaWatch {
  readonly #clock: Clock
  #isConnected = false
  #isAnswered = false
  #fromBrowser = 0
  #fromCarrier = 0
  #fromCarrierBeforeAnswer = 0
  /** Undefined until the first look after the answer. */
  #fromBrowserBeforeAnswer: number | undefined
  #hasPassedOn = false
  #hasHeardCaller = false
  #looksInVain = 0
  #quietFrames = 0
  #heardAtMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** When the browser was heard last, monotonic; undefined before that. */
  get heardAtMs(): number | undefined {
    return this.#heardAtMs
  }

  get isQuiet(): boolean {
    return this.#quietFrames >= quietAfterFrames
  }

  /** Whether anything of the callee has come since the answer. */
  get hasPassedOn(): boolean {
    return this.#hasPassedOn
  }

  /** Whether any packet of the browser has come since the answer; undefined until two looks can be compared. */
  get hasHeardCaller(): boolean | undefined {
    return this.#hasHeardCaller || (this.#looksInVain >= 2 ? false : undefined)
  }

  /** Looks since the answer that found nothing of the browser. One that the media host did not answer is none. */
  get looksInVain(): number {
    return this.#looksInVain
  }

  /** The sound is not decoded here, so it has no level. */
  observe(): { received: StreamObservation; sent: StreamObservation } {
    const received = { packets: this.#fromBrowser, level: null }
    return { received, sent: { packets: this.#fromCarrier, level: null } }
  }

  isDue(frame: number): boolean {
    return frame % this.#framesBetween() === 0
  }

  #framesBetween(): number {
    const isHeard = this.#isAnswered ? this.#hasHeardCaller : this.#isConnected
    return isHeard ? framesBetweenLooks : framesUntilHeard
  }

  answered(): void {
    this.#isAnswered = true
    this.#fromCarrierBeforeAnswer = this.#fromCarrier
  }

  /**
   * @param counts undefined: the media host does not know the call
   * @returns whether the browser was heard for the first time
   */
  note(counts: MediaCounts | undefined): boolean {
    const isHeard = (counts?.fromBrowser ?? 0) > this.#fromBrowser
    this.#quietFrames = isHeard ? 0 : this.#quietFrames + this.#framesBetween()
    if (isHeard) this.#heardAtMs = this.#clock.monotonicMs()
    this.#fromBrowser = counts?.fromBrowser ?? this.#fromBrowser
    this.#fromCarrier = counts?.fromCarrier ?? this.#fromCarrier
    // A media host that was restarted counts from 0: what was heard once stays heard.
    if (this.#isAnswered) {
      this.#hasPassedOn ||= this.#fromCarrier > this.#fromCarrierBeforeAnswer
      this.#fromBrowserBeforeAnswer ??= this.#fromBrowser
      this.#hasHeardCaller ||= this.#fromBrowser > this.#fromBrowserBeforeAnswer
      if (counts !== undefined && !this.#hasHeardCaller) this.#looksInVain += 1
    }
    const isFirst = isHeard && !this.#isConnected
    this.#isConnected ||= isHeard
    return isFirst
  }
}
