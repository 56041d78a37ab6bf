import type { Clock } from '../../clock.ts'
import type { CallEnd, VerificationOutcome } from '../port.ts'
import { LineTimers } from './line-timers.ts'
import type { Line, LineCall, LineControl, LineEnd } from './lines/line.ts'
import type { Logger } from './logger.ts'
import { type AudioSource, once } from './media/audio-source.ts'
import { type ClipName, clip, type Digit } from './media/clips.ts'
import { frameOctets } from './media/frames.ts'
import { KeyListener } from './media/key-listener.ts'
import { Player } from './media/player.ts'
import type { Ticker } from './media/ticker.ts'
import { type CodeEntry, keyIn, noEntry } from './verification-script.ts'

/** What a verification call needs of its exchange. */
export interface VerificationServices {
  readonly clock: Clock
  readonly ticker: Ticker
  readonly log: Logger
}

export interface VerificationOptions {
  readonly verificationId: string
  readonly code: string
  readonly line: Line
  /** Called once, as soon as it is decided: before the goodbye is over. */
  readonly onDecided: (outcome: VerificationOutcome) => void
  /** Nothing follows. Called once. */
  readonly onOver: () => void
}

/**
 * How long it rings, how long it then lasts at most, and how long it waits for keys before it asks again. All
 * together less than the 90 s for which the page asks whether the number is verified.
 */
const ringingMs = 30_000
const longestMs = 50_000
const waitForKeysMs = 12_000
/** How long the goodbye may take before it is cut short. */
const goodbyeMs = 6000

const outcomes: Readonly<Record<LineEnd, VerificationOutcome>> = {
  callee_hung_up: 'hung_up',
  busy: 'busy',
  declined: 'declined',
  no_answer: 'no_answer',
  invalid_number: 'failed',
  connection_lost: 'failed',
  failed: 'failed',
}

/**
 * Our own call to a number: rings the line behind it, asks for the code, and listens to its keypad. The
 * exchange is the caller here, in the place of somebody's browser.
 */
export class Verification {
  readonly #services: VerificationServices
  readonly #options: VerificationOptions
  readonly #timers: LineTimers
  readonly #player = new Player()
  readonly #listener = new KeyListener()
  readonly #onFrame = (frame: number): void => this.#tick(frame)
  #line: LineCall | undefined
  #state: 'ringing' | 'answered' | 'decided' | 'over' = 'ringing'
  #entry: CodeEntry = noEntry
  /** Whether anything complete was keyed in. */
  #tried = false
  /** Keys pressed so far: a wait for keys that saw another one asks for nothing. */
  #keys = 0
  #packets = 0

  constructor(services: VerificationServices, options: VerificationOptions) {
    this.#services = services
    this.#options = options
    this.#timers = new LineTimers(services.clock)
  }

  /** Rings. A line that refuses the call has ended it when this returns. */
  start(): void {
    this.#services.ticker.add(this.#onFrame)
    this.#timers.add(ringingMs, () => {
      if (this.#state === 'ringing') this.#end('cancelled', 'no_answer')
    })
    const taken = this.#options.line.take(this.#control())
    if (this.#state === 'over') taken.ended?.('failed')
    else this.#line = taken
  }

  /** The exchange closes. */
  stop(): void {
    this.#end('server_stopping', 'failed')
  }

  #control(): LineControl {
    const nothing = () => undefined
    return {
      call: { callId: this.#options.verificationId, from: undefined },
      codecs: () => ['pcmu'],
      ring: () => this.#timers.add(0, () => this.#line?.connected?.()),
      answer: () => this.#answered(),
      hangUp: (end: LineEnd) => this.#end(end, outcomes[end]),
      // A key comes as signalling or, as on any telephone, as a tone.
      sound: digit => this.#pressed(digit),
      relay: ({ codec, payload }) => {
        const digit = codec === 'pcmu' ? this.#listener.hear(payload) : undefined
        if (digit !== undefined) this.#pressed(digit)
      },
      after: (ms, action) => this.#timers.add(ms, action),
      // What a line would let its caller hear: nobody listens here.
      play: nothing,
      add: nothing,
      startRelay: nothing,
      cutAudio: nothing,
    }
  }

  #answered(): void {
    if (this.#state !== 'ringing') return
    this.#state = 'answered'
    this.#timers.add(longestMs, () => this.#giveUp())
    this.#ask(spoken('code'))
  }

  /** Asks, and asks again while no key is pressed. */
  #ask(...words: readonly AudioSource[]): void {
    const keys = this.#keys
    const askAgain = () => {
      if (this.#state !== 'answered' || this.#keys !== keys) return
      // Who is asked anew begins anew.
      this.#entry = { ...this.#entry, typed: '' }
      this.#ask(spoken('code'))
    }
    this.#player.play(words, () => this.#timers.add(waitForKeysMs, askAgain))
  }

  #pressed(digit: Digit): void {
    if (this.#state !== 'answered') return
    this.#keys += 1
    const step = keyIn(this.#entry, digit, this.#options.code)
    switch (step.kind) {
      case 'more':
        this.#entry = step.entry
        // Whoever knows what to do need not hear it out.
        this.#ask()
        return
      case 'wrong':
        this.#tried = true
        this.#entry = step.entry
        this.#ask(spoken('wrong'), spoken('code'))
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

  #sayGoodbye(outcome: VerificationOutcome, words: ClipName): void {
    this.#decide(outcome)
    const leave = () => this.#end('caller_hung_up', outcome)
    this.#player.play([spoken(words)], leave)
    this.#timers.add(goodbyeMs, leave)
  }

  #decide(outcome: VerificationOutcome): void {
    if (this.#state === 'decided' || this.#state === 'over') return
    this.#state = 'decided'
    this.#services.log.info({ verificationId: this.#options.verificationId, outcome }, 'verification decided')
    this.#options.onDecided(outcome)
  }

  #end(end: CallEnd, outcome: VerificationOutcome): void {
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
      this.#services.log.error({ verificationId, err: error }, 'a verification call broke')
      this.#end('failed', 'failed')
    }
  }

  /** 20 ms of what we say, silence included. */
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

function spoken(name: ClipName): AudioSource {
  return once(clip(name))
}
