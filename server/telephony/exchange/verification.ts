import type { VerificationOutcome } from '#lib/api/verification.ts'
import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { Clock } from '../../process/clock.ts'
import type { VerificationProgress } from '../port.ts'
import type { Endpoint, EndpointCall, EndpointCause, EndpointControl } from './endpoints/endpoint.ts'
import { LineTimers } from './line-timers.ts'
import type { Logger } from './logger.ts'
import type { AudioSource } from './media/audio-source.ts'
import { type ClipName, type Digit, spoken } from './media/clips.ts'
import { KeyListener } from './media/key-listener.ts'
import { frameOctets } from './media/mulaw.ts'
import { Player } from './media/player.ts'
import type { Ticker } from './media/ticker.ts'
import { type CodeEntry, keyIn, noEntry } from './verification-script.ts'

export interface VerificationServices {
  readonly clock: Clock
  readonly ticker: Ticker
  readonly log: Logger
}

export interface VerificationOptions {
  readonly verificationId: string
  /** Number shown, E.164. */
  readonly from: string
  readonly code: string
  /** One of `spokenLanguages`. */
  readonly language: string
  readonly line: Endpoint
  readonly onProgress: (state: VerificationProgress['state']) => void
  /** Called once, when the outcome is decided: before the goodbye is over. */
  readonly onDecided: (outcome: VerificationOutcome) => void
  readonly onOver: () => void
}

/** Limits of ringing, of the answered call and of the wait for keys. Together less than the 90 s that the page polls. */
const ringingMs = 30_000
const longestMs = 50_000
const waitForKeysMs = 12_000
const goodbyeMs = 6000

const outcomes: Readonly<Record<EndpointCause, VerificationOutcome>> = {
  callee_hung_up: 'hung_up',
  busy: 'busy',
  declined: 'declined',
  no_answer: 'no_answer',
  invalid_number: 'failed',
  connection_lost: 'failed',
  failed: 'failed',
  service_failed: 'failed',
}

/** A call of our own that asks for a code and reads keys. The exchange is the caller, in place of a browser. */
export class Verification {
  readonly #services: VerificationServices
  readonly #options: VerificationOptions
  readonly #timers: LineTimers
  readonly #player = new Player()
  readonly #listener = new KeyListener()
  readonly #onFrame = (frame: number): void => this.#tick(frame)
  #line: EndpointCall | undefined
  #state: 'ringing' | 'answered' | 'decided' | 'over' = 'ringing'
  #entry: CodeEntry = noEntry
  #tried = false
  /** Keys pressed so far; a change cancels the pending repeat of the prompt. */
  #keys = 0
  #packets = 0

  constructor(services: VerificationServices, options: VerificationOptions) {
    this.#services = services
    this.#options = options
    this.#timers = new LineTimers(services.clock)
  }

  /** Starts ringing. An endpoint that rejects the call has ended it when this returns. */
  start(): void {
    this.#services.ticker.add(this.#onFrame)
    this.#timers.add(ringingMs, () => {
      if (this.#state === 'ringing') this.#end('cancelled', 'no_answer')
    })
    const endpointCall = this.#options.line.answerWith(this.#control())
    if (this.#state === 'over') endpointCall.ended?.('failed')
    else this.#line = endpointCall
  }

  stop(): void {
    this.#end('server_stopping', 'failed')
  }

  #control(): EndpointControl {
    const nothing = () => undefined
    return {
      call: { callId: this.#options.verificationId, from: this.#options.from },
      codecs: () => ['pcmu'],
      ring: () => this.#timers.add(0, () => this.#line?.connected?.()),
      answer: () => this.#answered(),
      hangUp: (end: EndpointCause) => this.#end(end, outcomes[end]),
      // A key arrives as signalling or, as on any telephone, as a tone.
      sound: digit => this.#pressed(digit),
      relay: ({ codec, payload }) => {
        const digit = codec === 'pcmu' ? this.#listener.receive(payload) : undefined
        if (digit !== undefined) this.#pressed(digit)
      },
      after: (ms, action) => this.#timers.add(ms, action),
      // Audio for the caller, who does not exist here.
      play: nothing,
      add: nothing,
      startRelay: nothing,
      reportLoss: nothing,
      cutAudio: nothing,
    }
  }

  #answered(): void {
    if (this.#state !== 'ringing') return
    this.#state = 'answered'
    this.#options.onProgress('answered')
    this.#timers.add(longestMs, () => this.#giveUp())
    this.#ask(this.#say('code'))
  }

  /** Plays the prompt, and repeats it while no key is pressed. */
  #ask(...farewell: readonly AudioSource[]): void {
    const keys = this.#keys
    const askAgain = () => {
      if (this.#state !== 'answered' || this.#keys !== keys) return
      // A repeated prompt discards a partial code.
      this.#entry = { ...this.#entry, typed: '' }
      this.#ask(this.#say('code'))
    }
    this.#player.play(farewell, () => this.#timers.add(waitForKeysMs, askAgain))
  }

  #say(name: ClipName): AudioSource {
    return spoken(name, this.#options.language)
  }

  #pressed(digit: Digit): void {
    if (this.#state !== 'answered') return
    this.#keys += 1
    const step = keyIn(this.#entry, digit, this.#options.code)
    switch (step.kind) {
      case 'more':
        this.#entry = step.entry
        // A key cuts the prompt short.
        this.#ask()
        return
      case 'wrong':
        this.#tried = true
        this.#entry = step.entry
        this.#options.onProgress('wrong_code')
        this.#ask(this.#say('wrong'), this.#say('code'))
        return
      case 'refused':
        this.#sayGoodbye('wrong_code', 'goodbye')
        return
      case 'right':
        this.#sayGoodbye('verified', 'verified')
        return
      default:
        step satisfies never
    }
  }

  #giveUp(): void {
    if (this.#state === 'answered') this.#sayGoodbye(this.#tried ? 'wrong_code' : 'no_code', 'goodbye')
  }

  #sayGoodbye(outcome: VerificationOutcome, farewell: ClipName): void {
    this.#decide(outcome)
    const leave = () => this.#end('caller_hung_up', outcome)
    this.#player.play([this.#say(farewell)], leave)
    this.#timers.add(goodbyeMs, leave)
  }

  #decide(outcome: VerificationOutcome): void {
    if (this.#state === 'decided' || this.#state === 'over') return
    this.#state = 'decided'
    this.#services.log.info({ verificationId: this.#options.verificationId, outcome }, 'verification decided')
    this.#options.onDecided(outcome)
  }

  #end(end: CarrierCause, outcome: VerificationOutcome): void {
    if (this.#state === 'over') return
    this.#decide(outcome)
    this.#state = 'over'
    this.#services.ticker.remove(this.#onFrame)
    this.#timers.clear()
    const line = this.#line
    this.#line = undefined
    line?.ended?.(end)
    this.#options.onOver()
  }

  #tick(frame: number): void {
    try {
      while (this.#state !== 'over' && this.#timers.nextDueAtMs <= this.#services.clock.monotonicMs())
        this.#timers.runNext()
      this.#line?.tick?.(frame)
      if (this.#state === 'answered' || this.#state === 'decided') this.#speak()
    } catch (error) {
      const { verificationId } = this.#options
      this.#services.log.error({ verificationId, err: error }, 'a verification call failed')
      this.#end('service_failed', 'failed')
    }
  }

  #speak(): void {
    const payload = this.#player.next()
    this.#line?.audio?.({
      codec: 'pcmu',
      payload,
      sequenceNumber: this.#packets & 0xffff,
      timestamp: (this.#packets * frameOctets) >>> 0,
      marker: this.#packets === 0,
    })
    this.#packets += 1
  }
}
