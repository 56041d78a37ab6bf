import { setTimeout as sleep } from 'node:timers/promises'
import type { CallControl, CarrierEvent } from '../port.ts'
import type { Logger } from './logger.ts'

const firstRetryMs = 100
const slowestRetryMs = 5000
/** After so many tries an event gives way to a later one of the same call. */
const triesBeforeGivingWay = 3

/**
 * Tells the call service what happened to one call: in order, one event at a time, each until it is
 * taken. The audio never waits for it.
 */
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

  /** Resolves once everything reported so far was taken. */
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
        this.#log.error(details, 'the call service did not take an event')
        if (this.#queue.length > 1 && tries >= triesBeforeGivingWay) return
        await sleep(Math.min(firstRetryMs * 2 ** (tries - 1), slowestRetryMs), undefined, {
          ref: false,
        })
      }
    }
  }
}
