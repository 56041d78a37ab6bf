import { setTimeout as sleep } from 'node:timers/promises'
import type { CallControl, CarrierEvent } from '../port.ts'
import type { Logger } from './logger.ts'

const firstRetryMs = 100
const slowestRetryMs = 5000
/** After this many tries an event is dropped if a later one of the same call is waiting. */
const triesBeforeGivingWay = 3

/** Reports a call's events in order, one at a time, each retried until applied. Audio never waits for it. */
export class Reporter {
  readonly #control: CallControl
  readonly #log: Logger
  readonly #queue: CarrierEvent[] = []
  #running: Promise<void> | undefined

  constructor(control: CallControl, log: Logger) {
    this.#control = control
    this.#log = log
  }

  report(event: CarrierEvent): void {
    this.#queue.push(event)
    this.#running ??= this.#run()
  }

  async drained(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    for (let event = this.#queue[0]; event !== undefined; event = this.#queue[0]) {
      await this.#deliver(event)
      this.#queue.shift()
    }
    this.#running = undefined
  }

  async #deliver(event: CarrierEvent): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#control.report(event)
        return
      } catch (error) {
        const details = { callId: event.callId, event: event.kind, tries, err: error }
        this.#log.error(details, 'an event of a call could not be applied')
        if (this.#queue.length > 1 && tries >= triesBeforeGivingWay) return
        await sleep(Math.min(firstRetryMs * 2 ** (tries - 1), slowestRetryMs), undefined, {
          ref: false,
        })
      }
    }
  }
}
