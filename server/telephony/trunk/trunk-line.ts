import type { Clock } from '../../process/clock.ts'
import { ownSdp, readBrowserSdp } from '../exchange/browser-sdp.ts'
import { CallAudio } from '../exchange/call-audio.ts'
import type { Endpoint, EndpointCall, EndpointControl } from '../exchange/endpoints/endpoint.ts'
import type { FarSide, FarSideOptions } from '../exchange/far-side.ts'
import { LineTimers } from '../exchange/line-timers.ts'
import type { MediaAddress } from '../exchange/media/media-address.ts'

export interface TrunkLineServices {
  readonly clock: Clock
  /** Of the leg between this process and the media host. */
  readonly address: () => MediaAddress
  readonly farSide: (options: FarSideOptions) => FarSide
}

/** Longer than any call of our own lasts. */
const limitMs = 120_000

/**
 * A telephone behind a trunk as an endpoint, for calls in which this process speaks and listens itself. To the trunk it is
 * the browser.
 * @param to E.164
 * @param rateMicroUsd the most that a minute may cost us
 */
export function trunkLine(services: TrunkLineServices, to: string, rateMicroUsd: number): Endpoint {
  return { codecs: ['pcmu'], answerWith: control => new TrunkLineCall(services, to, rateMicroUsd, control) }
}

class TrunkLineCall implements EndpointCall {
  readonly #audio: CallAudio
  readonly #timers: LineTimers
  readonly #clock: Clock
  #far: FarSide | undefined
  #over = false
  #isConnected = false
  #isAnswered = false

  constructor(
    { clock, address, farSide }: TrunkLineServices,
    to: string,
    rateMicroUsd: number,
    control: EndpointControl,
  ) {
    this.#clock = clock
    this.#timers = new LineTimers(clock)
    this.#audio = new CallAudio({
      address: address(),
      clock,
      onConnected: () => undefined,
      onAudio: packet => control.relay(packet),
      onKey: digit => control.sound(digit),
      onLoss: fractionLost => control.reportLoss(fractionLost),
    })
    this.#audio.startRelay()
    this.#audio
      .offer(['pcmu'])
      .then(ownOffer => {
        if (this.#over) return
        const offer = ownSdp(ownOffer)
        this.#far = farSide({
          ...control.call,
          ...{ to, rateMicroUsd, limitMs, offer, clock, timers: this.#timers },
          events: {
            rang: sdp => {
              control.ring()
              const answer = readBrowserSdp(sdp)
              if (answer === undefined) return control.hangUp('failed')
              this.#audio.accept(answer).catch(() => control.hangUp('failed'))
            },
            unusableOffer: () => control.hangUp('failed'),
            connected: then => {
              then()
              this.#isConnected = true
              this.#answerIfPossible(control)
            },
            answered: () => {
              this.#isAnswered = true
              this.#answerIfPossible(control)
            },
            hungUp: (end, atMs) => control.hangUp(end, atMs),
          },
        })
        this.#far.begin()
      })
      .catch(() => control.hangUp('failed'))
  }

  /** What is said before the sound is connected would be lost. */
  #answerIfPossible(control: EndpointControl): void {
    if (!this.#isConnected || !this.#isAnswered) return
    this.#far?.answered(this.#clock.monotonicMs())
    control.answer()
  }

  audio(packet: Parameters<NonNullable<EndpointCall['audio']>>[0]): void {
    this.#audio.relay(packet)
  }

  tick(frame: number): void {
    this.#audio.tick(frame)
    this.#far?.tick(frame)
  }

  ended: NonNullable<EndpointCall['ended']> = end => {
    this.#over = true
    this.#timers.clear()
    void Promise.allSettled([this.#far?.ended(end), this.#audio.close()])
  }
}
