import { atom, type ReadableAtom } from 'nanostores'
import { type CallTotals, callTotals as totalsEndpoint } from '#lib/api/calls.ts'
import { type CallFilter, callFilterQuery, isFiltering } from '#lib/rules/call-filter.ts'
import { authorised } from './api.ts'

export type HistoryTotals =
  | { readonly of: 'nothing' }
  /** Of the reader's own month, by the clock of where they are. */
  | { readonly of: 'month'; readonly month: Date; readonly totals: CallTotals }
  | { readonly of: 'filter'; readonly totals: CallTotals }

const $known = atom<HistoryTotals>({ of: 'nothing' })
/** What this month's calls come to, or those that a filter lets through, over all pages. Written here alone. */
export const $historyTotals: ReadableAtom<HistoryTotals> = $known

let turn = 0

/** Shows none, also where an answer is on its way: they are another user's. */
export function forgetTotals(): void {
  turn += 1
  $known.set({ of: 'nothing' })
}

/** Asks for the totals; where they do not come the page shows none: what it lists, it lists without them. */
export async function refreshTotals(filter: CallFilter, now = new Date()): Promise<void> {
  turn += 1
  const mine = turn
  const filtering = isFiltering(filter)
  if (filtering !== ($known.get().of === 'filter')) $known.set({ of: 'nothing' })
  const month = new Date(now.getFullYear(), now.getMonth(), 1)
  const query = filtering ? callFilterQuery(filter) : { from: month.toISOString() }
  const result = await authorised(totalsEndpoint, { query }, { skipLogoutOnFail: true })
  if (mine !== turn) return
  if (!result.ok) return $known.set({ of: 'nothing' })
  const totals = result.value
  $known.set(filtering ? { of: 'filter', totals } : { of: 'month', month, totals })
}
