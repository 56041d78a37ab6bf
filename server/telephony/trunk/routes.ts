import { type CallCosts, costOfCall } from '../../tariff/call-costs.ts'
import { neededPrice } from '../../tariff/compare.ts'
import { trunkMargins } from '../../tariff/margins.ts'
import type { Carrier } from './carriers.ts'
import type { AttemptOutcome, CarrierResults } from './trunk-books.ts'

export interface PricedCarrier {
  readonly carrier: Carrier
  /** Its price list. */
  readonly costs: CallCosts
}

export interface RoutedCall {
  /** E.164. */
  readonly to: string
  /** Number shown, E.164. */
  readonly from: string
  /** What the user pays, micro-dollars a minute; of a free call what it would cost. */
  readonly rateMicroUsd: number
}

/** A carrier that may take a call, and what that costs. */
export interface Route {
  readonly carrier: Carrier
  /** Micro-dollars a minute. */
  readonly costMicroUsd: number
}

/** A carrier's failures, as one process sees them. */
export interface Condition {
  /** Own failures since it last took a call. */
  readonly failures: number
  /** Rests since it last took a call. */
  readonly rests: number
  /** Until when it rests, in monotonic milliseconds; in the past if it does not. */
  readonly restsUntilMs: number
}

export interface RoutingFacts {
  readonly publicNumbers: readonly string[]
  /** By carrier. One that is not there has not failed. */
  readonly conditions: ReadonlyMap<string, Condition>
  /** By carrier. One that is not there has taken no calls. */
  readonly results: ReadonlyMap<string, CarrierResults>
  /** Monotonic. */
  readonly nowMs: number
}

export interface Routing {
  /** Best first. Empty: no carrier has a price for the number, or none that the rate pays for. */
  readonly routes: readonly Route[]
  /** The carrier, first of the routes, that this call tries after its rest: `beginRest` keeps the next calls away. */
  readonly probed: string | undefined
}

const failuresBeforeRest = 3
export const firstRestMs = 30_000
export const longestRestMs = 10 * 60_000

/** Costs up to this much above the cheapest, in percent, count as equal to it. */
const equalCostPercent = 2
/** A carrier with fewer calls or reports counts as the best: only calls can say how good it is. */
const minMeasured = 20
/** Differences below a step count for nothing: 5 percentage points of answered calls, 0.2 of the opinion score. */
const answerSteps = 20
const soundSteps = 5

/** The carriers that may take a call, best first. */
export function routesFor(
  carriers: readonly PricedCarrier[],
  { to, from, rateMicroUsd }: RoutedCall,
  { publicNumbers, conditions, results, nowMs }: RoutingFacts,
): Routing {
  const priced = carriers.flatMap(({ carrier, costs }): Route[] => {
    if (carrier.callerIds === 'ours' && !publicNumbers.includes(from)) return []
    const costMicroUsd = costOfCall(costs, to, from)
    if (costMicroUsd === undefined || neededPrice(costMicroUsd, trunkMargins) > rateMicroUsd) return []
    return [{ carrier, costMicroUsd }]
  })
  const ordered = bestFirst(priced, results)
  const restsNow = ({ carrier }: Route) => isResting(conditions.get(carrier.name), nowMs)
  // A resting carrier is the last resort: better than refusing the call.
  const routes = [...ordered.filter(route => !restsNow(route)), ...ordered.filter(restsNow)]
  const [first] = routes
  if (first === undefined || restsNow(first)) return { routes, probed: undefined }
  const hasRested = (conditions.get(first.carrier.name)?.rests ?? 0) > 0
  return { routes, probed: hasRested ? first.carrier.name : undefined }
}

/** Condition after an attempt; undefined: nothing is held against the carrier. */
export function afterAttempt(
  condition: Condition | undefined,
  outcome: AttemptOutcome,
  nowMs: number,
): Condition | undefined {
  switch (outcome) {
    case 'answered':
    case 'unanswered':
      return undefined
    case 'abandoned':
    case 'not_placed':
      return condition
    case 'failed': {
      // Calls that began before the rest, or that had no other carrier left, do not make it longer.
      if (isResting(condition, nowMs)) return condition
      const failures = (condition?.failures ?? 0) + 1
      const counted = { failures, rests: condition?.rests ?? 0, restsUntilMs: nowMs }
      return failures < failuresBeforeRest ? counted : beginRest(counted, nowMs)
    }
  }
}

/** Each rest is twice as long as the one before, up to `longestRestMs`. */
export function beginRest({ failures, rests }: Condition, nowMs: number): Condition {
  const restMs = Math.min(longestRestMs, firstRestMs * 2 ** rests)
  return { failures, rests: rests + 1, restsUntilMs: nowMs + restMs }
}

function isResting(condition: Condition | undefined, nowMs: number): boolean {
  return condition !== undefined && nowMs < condition.restsUntilMs
}

/** By cost; among equal costs by answered calls, then by sound, then by the cost itself, then as in the trunk file. */
function bestFirst(routes: readonly Route[], results: RoutingFacts['results']): readonly Route[] {
  let level = Number.NEGATIVE_INFINITY
  return routes
    .toSorted((one, other) => one.costMicroUsd - other.costMicroUsd)
    .map(route => {
      if (route.costMicroUsd * 100 > level * (100 + equalCostPercent)) level = route.costMicroUsd
      return { route, level, ...stepsOf(results.get(route.carrier.name)) }
    })
    .sort((one, other) => one.level - other.level || other.answers - one.answers || other.sound - one.sound)
    .map(({ route }) => route)
}

function stepsOf(results: CarrierResults | undefined): { readonly answers: number; readonly sound: number } {
  const { attempts = 0, answered = 0, measured = 0, mos } = results ?? {}
  return {
    answers: Math.round((attempts < minMeasured ? 1 : answered / attempts) * answerSteps),
    sound: Math.round((measured < minMeasured || mos === undefined ? 5 : mos) * soundSteps),
  }
}
