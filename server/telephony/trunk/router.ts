import { hourMs, minuteMs } from '#lib/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../exchange/logger.ts'
import {
  afterAttempt,
  beginRest,
  type Condition,
  type PricedCarrier,
  type Route,
  type RoutedCall,
  routesFor,
} from './routes.ts'
import type { CarrierAttempt, CarrierResults, TrunkBooks } from './trunk-books.ts'

/** Results of this long count. */
const resultsMs = 3 * hourMs
/** How long results are used before they are read again. */
const refreshMs = minuteMs

export interface RouterOptions {
  readonly carriers: readonly PricedCarrier[]
  readonly publicNumbers: readonly string[]
  readonly books: TrunkBooks
  readonly clock: Clock
  readonly log: Logger
}

/** Chooses carriers by what this process sees of their failures, and by the results of all processes. */
export class Router {
  readonly #options: RouterOptions
  readonly #conditions = new Map<string, Condition>()
  #results: ReadonlyMap<string, CarrierResults> = new Map()
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(options: RouterOptions) {
    this.#options = options
  }

  /** The carriers for a call, best first. Never waits for the database. */
  routesTo(call: RoutedCall): readonly Route[] {
    const { carriers, publicNumbers, clock } = this.#options
    const nowMs = clock.monotonicMs()
    if (nowMs - this.#readAtMs >= refreshMs) void this.#readResults(nowMs)
    const facts = { publicNumbers, conditions: this.#conditions, results: this.#results, nowMs }
    const { routes, probed } = routesFor(carriers, call, facts)
    const condition = probed === undefined ? undefined : this.#conditions.get(probed)
    if (probed !== undefined && condition !== undefined)
      this.#conditions.set(probed, beginRest(condition, nowMs))
    return routes
  }

  /** Once per attempt, as soon as it is known how it went. */
  onAttempt(attempt: CarrierAttempt): void {
    this.judge(attempt)
    const { books, log } = this.#options
    const { callId, carrier } = attempt
    books
      .record(attempt)
      .catch(error => log.warn({ callId, carrier, err: error }, 'an attempt at a carrier was not recorded'))
  }

  /** The same for a call that is not in the books. */
  judge({ carrier, outcome }: CarrierAttempt): void {
    const { clock, log } = this.#options
    const before = this.#conditions.get(carrier)
    const after = afterAttempt(before, outcome, clock.monotonicMs())
    if (after === undefined) this.#conditions.delete(carrier)
    else this.#conditions.set(carrier, after)
    if ((after?.rests ?? 0) > (before?.rests ?? 0)) log.warn({ carrier }, 'a carrier fails, and is rested')
    else if ((before?.rests ?? 0) > 0 && after === undefined) log.info({ carrier }, 'a carrier works again')
  }

  async #readResults(nowMs: number): Promise<void> {
    const { books, clock, log } = this.#options
    this.#readAtMs = nowMs
    try {
      const results = await books.resultsSince(new Date(clock.now().getTime() - resultsMs))
      this.#results = new Map(results.map(one => [one.carrier, one]))
    } catch (error) {
      log.warn({ err: error }, 'the results of carriers could not be read')
    }
  }
}
