import { type CallCosts, type CostRow, callCostsOf, costOfCall } from './call-costs.ts'

/** What a call costs over the cheapest of several carriers. A number that none of them has a price for has no cost. */
export function cheapestCosts(lists: readonly CallCosts[]): CallCosts {
  const prefixes = new Set(lists.flatMap(({ rows }) => [...rows.keys()]))
  // A carrier's shorter prefix also covers what another one lists apart, so each prefix is priced at all carriers.
  const rows = [...prefixes].flatMap(prefix =>
    callersOf(lists, prefix).flatMap((caller): CostRow[] => {
      const costs = lists.flatMap(list => costOfCall(list, prefix, caller) ?? [])
      return costs.length === 0 ? [] : [rowOf(prefix, caller, Math.min(...costs))]
    }),
  )
  return callCostsOf(rows, 'trunks')
}

/** The part of a list that applies to calls which show one of these numbers. @param numbers E.164 */
export function costsForCallers(list: CallCosts, numbers: readonly string[]): CallCosts {
  const rows = [...list.rows.keys()].flatMap(prefix =>
    numbers.flatMap((number): CostRow[] => {
      const cost = costOfCall(list, prefix, number)
      return cost === undefined ? [] : [rowOf(prefix, number.replace(/^\+/, ''), cost)]
    }),
  )
  return callCostsOf(rows, list.basis)
}

/** Caller prefixes that any list tells apart for a prefix or a part of it; the empty one stands for all other callers. */
function callersOf(lists: readonly CallCosts[], prefix: string): readonly string[] {
  const callers = new Set([''])
  for (let length = prefix.length; length > 0; length -= 1) {
    for (const { rows } of lists) {
      for (const row of rows.get(prefix.slice(0, length)) ?? []) {
        for (const caller of row.callers) callers.add(caller)
      }
    }
  }
  return [...callers]
}

function rowOf(prefix: string, caller: string, microUsdPerMinute: number): CostRow {
  return { prefixes: [prefix], callers: caller === '' ? [] : [caller], microUsdPerMinute }
}
