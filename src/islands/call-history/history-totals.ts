import { atom, type ReadableAtom } from 'nanostores'
import { type CallTotals, callTotals as totalsEndpoint } from '#lib/api/calls.ts'
import { type CallFilter, callFilterBody, isFiltering } from '#lib/calls/call-filter.ts'
import { authorised } from '#session/api.ts'

export type HistoryTotals =
  | { readonly of: 'nothing' }
  /** The month in the reader's time zone. */
  | { readonly of: 'month'; readonly month: Date; readonly totals: CallTotals }
  | { readonly of: 'filter'; readonly totals: CallTotals }

const $known = atom<HistoryTotals>({ of: 'nothing' })
export const $historyTotals: ReadableAtom<HistoryTotals> = $known

let turn = 0

export function forgetTotals(): void {
  turn += 1
  $known.set({ of: 'nothing' })
}

/** Loads the totals. A failure shows none; the list does not depend on them. */
export async function refreshTotals(filter: CallFilter, now = new Date()): Promise<void> {
  turn += 1
  const mine = turn
  const filtering = isFiltering(filter)
  if (filtering !== ($known.get().of === 'filter')) $known.set({ of: 'nothing' })
  const month = new Date(now.getFullYear(), now.getMonth(), 1)
  const body = filtering ? callFilterBody(filter) : { from: month.toISOString() }
  const result = await authorised(totalsEndpoint, { body }, { skipLogoutOnFail: true })
  if (mine !== turn) return
  if (!result.ok) return $known.set({ of: 'nothing' })
  const totals = result.value
  $known.set(filtering ? { of: 'filter', totals } : { of: 'month', month, totals })
}
