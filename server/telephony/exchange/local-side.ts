import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { BrowserSdp } from './browser-sdp.ts'
import { CallAudio } from './call-audio.ts'
import type { Endpoint, EndpointCall, EndpointControl } from './endpoints/endpoint.ts'
import type { FarSide, FarSideEvents, FarSideOptions } from './far-side.ts'
import type { Digit } from './media/clips.ts'
import type { MediaAddress } from './media/media-address.ts'

export interface LocalSideServices {
  readonly address: () => MediaAddress
  readonly lineOf: (number: string) => Endpoint
}

/** A number of the exchange itself: this process makes or relays its sound. */
export class LocalSide implements FarSide {
  readonly ringWithinMs = 15_000
  readonly #options: FarSideOptions
  readonly #events: FarSideEvents
  readonly #endpoint: Endpoint
  readonly #audio: CallAudio
  #line: EndpointCall | undefined
  #end: CarrierCause | undefined

  constructor({ address, lineOf }: LocalSideServices, options: FarSideOptions) {
    this.#options = options
    this.#events = options.events
    this.#endpoint = lineOf(options.to)
    this.#audio = new CallAudio({
      address: address(),
      clock: options.clock,
      onConnected: () => this.#connected(),
      onAudio: packet => this.#line?.audio?.(packet),
      onLoss: fractionLost => this.#line?.loss?.(fractionLost),
    })
  }

  get isOpen(): boolean {
    return this.#audio.isOpen
  }

  get heardAtMs(): number | undefined {
    return this.#audio.heardAtMs
  }

  get isQuiet(): boolean {
    return this.#audio.isQuiet
  }

  get hasPassedOn(): boolean {
    return this.#audio.hasPassedOn
  }

  observe() {
    return this.#audio.observe()
  }

  begin(): void {
    const line = this.#endpoint.answerWith(this.#control())
    // An endpoint may reject the call at once.
    if (this.#end === undefined) this.#line = line
    else line.ended?.(this.#end)
  }

  press(digit: Digit): void {
    this.#line?.digit?.(digit)
  }

  text(message: RealTimeText): void {
    this.#line?.text?.(message)
  }

  async answer(offer: BrowserSdp): Promise<string> {
    return await this.#audio.answer(offer, [])
  }

  answered(): void {
    this.#audio.answered()
  }

  tick(frame: number): void {
    this.#audio.tick(frame)
    this.#line?.tick?.(frame)
  }

  async ended(end: CarrierCause): Promise<void> {
    this.#end = end
    const line = this.#line
    this.#line = undefined
    line?.ended?.(end)
    await this.#audio.close()
  }

  #connected(): void {
    this.#events.connected(() => this.#line?.connected?.())
  }

  #ring(): void {
    if (this.#audio.isOpen) return
    this.#audio
      .answer(this.#options.offer, this.#endpoint.codecs)
      .then(this.#events.rang, this.#events.unusableOffer)
  }

  #control(): EndpointControl {
    const audio = this.#audio
    const { callId, from, timers } = this.#options
    const whileLive = (action: () => void) => {
      if (this.#end === undefined) action()
    }
    return {
      call: { callId, from },
      codecs: () => audio.codecs,
      ring: () => whileLive(() => this.#ring()),
      answer: () => whileLive(() => this.#events.answered()),
      hangUp: (end, atMs) => whileLive(() => this.#events.hungUp(end, atMs)),
      play: (sources, whenDone) => whileLive(() => audio.player.play(sources, whenDone)),
      add: source => whileLive(() => audio.player.add(source)),
      startRelay: () => whileLive(() => audio.startRelay()),
      relay: packet => whileLive(() => audio.relay(packet)),
      reportLoss: fractionLost => whileLive(() => audio.reportLoss(fractionLost)),
      sound: digit => whileLive(() => audio.sound(digit)),
      text: message => whileLive(() => this.#events.text?.(message)),
      cutAudio: () => whileLive(() => audio.cut()),
      after: (ms, action) => whileLive(() => timers.add(ms, action)),
    }
  }
}
