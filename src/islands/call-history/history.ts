import { atom, type ReadableAtom } from 'nanostores'
import { type CallRecord, searchCalls } from '#lib/api/calls.ts'
import type { RequestInput } from '#lib/api/endpoint.ts'
import {
  type CallFilter,
  callFilterBody,
  everyCall,
  isFiltering,
  readCallFilter,
  writeCallFilter,
} from '#lib/calls/call-filter.ts'
import { localPath } from '#lib/i18n/path.ts'
import { type AuthorisedOptions, authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import { goInstead } from '#session/navigation.ts'
import { $session, loggedOutHere, start } from '#session/session.ts'
import type { ApiResult } from '#session/transport.ts'
import { loadUser } from '#session/user.ts'
import { forgetTotals, refreshTotals } from './history-totals.ts'

export type History =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready'
      readonly calls: readonly CallRecord[]
      readonly nextCursor: string | null
      readonly more: 'idle' | 'loading' | 'failed'
      readonly filter: CallFilter
      /** The user requested the last addition, so announce it. */
      readonly asked: boolean
    }

const $shown = atom<History>({ state: 'loading' })
export const $history: ReadableAtom<History> = $shown

const $entered = atom<CallFilter>(everyCall)
/** The fields of the filter; the list follows after `filterRestMs`. */
export const $filter: ReadableAtom<CallFilter> = $entered

export const filterRestMs = 350

/** Counts loads, to ignore outdated answers. */
let opening = 0
let resting: ReturnType<typeof setTimeout> | undefined
/** The last change was typed; the next typed one replaces it in the browser's history. */
let typing = false

function sendToLogin(): void {
  const here = encodeURIComponent(localPath('/call-history'))
  goInstead(localPath(`/login?next=${here}${writeCallFilter($entered.get())}`))
}

/** Loads the newest calls of the address's filter. Visitors are sent to log in and return. */
export async function openHistory(): Promise<void> {
  readAddress()
  await showCalls()
}

/** Applies the address after Back or Forward; the old list stays until the new one is loaded. */
export async function followAddress(): Promise<void> {
  readAddress()
  await load()
}

function readAddress(): void {
  clearTimeout(resting)
  typing = false
  const { hash, searchParams } = new URL(window.location.href)
  // Bookmarks of an earlier version have the filter in the query.
  $entered.set(readCallFilter(hash === '' ? searchParams : new URLSearchParams(hash.slice(1))))
}

export async function showCalls(): Promise<void> {
  $shown.set({ state: 'loading' })
  await load()
}

/** After a pause, the list and the address follow, so that links and Back restore the filter. */
export function changeFilter(change: Partial<CallFilter>): void {
  const before = $entered.get()
  const filter = { ...before, ...change }
  $entered.set(filter)
  clearTimeout(resting)
  resting = setTimeout(() => apply('who' in change), filterRestMs)
}

export async function clearFilter(): Promise<void> {
  clearTimeout(resting)
  $entered.set(everyCall)
  await apply(false)
}

async function apply(typed: boolean): Promise<void> {
  const path = localPath(`/call-history${writeCallFilter($entered.get())}`)
  const { pathname, search, hash } = new URL(window.location.href)
  if (path === `${pathname}${search}${hash}`) return
  if (typed && typing) window.history.replaceState(null, '', path)
  else window.history.pushState(null, '', path)
  typing = typed
  await load()
}

async function load(): Promise<void> {
  opening += 1
  const mine = opening
  const filter = $entered.get()
  await start()
  if (mine !== opening) return
  if ($session.get().status !== 'signed_in') return sendToLogin()
  void refreshTotals(filter)
  const result = await askCalls(callFilterBody(filter), () => mine === opening)
  if (mine !== opening) return
  if (result.ok) return $shown.set({ state: 'ready', ...result.value, more: 'idle', filter, asked: true })
  if (result.status === 401) return sendToLogin()
  $shown.set({ state: 'failed', message: result.message })
}

/** Loads pages until one has a call; the server searches a limited number per request. */
async function askCalls(
  body: RequestInput<typeof searchCalls>['body'],
  isWanted: () => boolean,
  options: AuthorisedOptions = {},
): Promise<ApiResult<typeof searchCalls>> {
  const result = await authorised(searchCalls, { body }, options)
  if (!result.ok || result.value.calls.length > 0 || !isWanted()) return result
  const { nextCursor } = result.value
  return nextCursor === null ? result : askCalls({ ...body, cursor: nextCursor }, isWanted, options)
}

/** Appends the next older page. Does nothing while one is loading or if there is none. */
export async function loadMore(): Promise<void> {
  const history = $shown.get()
  if (history.state !== 'ready' || history.more === 'loading' || history.nextCursor === null) return
  const mine = opening
  $shown.set({ ...history, more: 'loading' })
  const body = { ...callFilterBody(history.filter), cursor: history.nextCursor }
  const result = await askCalls(body, () => mine === opening)
  const current = $shown.get()
  if (mine !== opening || current.state !== 'ready') return
  if (!result.ok) {
    if (result.status === 401) return sendToLogin()
    return $shown.set({ ...current, more: 'failed' })
  }
  const { calls, nextCursor } = result.value
  $shown.set({ ...current, calls: joined(current.calls, calls), nextCursor, more: 'idle', asked: true })
}

/** Merges new calls into the list and keeps the older pages, so that the scroll position stays. */
export async function refreshHistory(): Promise<void> {
  const before = $shown.get()
  if (before.state !== 'ready') return
  const mine = opening
  void refreshTotals(before.filter)
  const body = callFilterBody(before.filter)
  const result = await askCalls(body, () => mine === opening, { skipLogoutOnFail: true })
  const current = $shown.get()
  if (!result.ok || mine !== opening || current.state !== 'ready') return
  const { calls, nextCursor } = result.value
  const fresh = new Set(calls.map(call => call.id))
  const overlaps = current.calls.some(call => fresh.has(call.id))
  // There may be a gap between the new calls and the list: start over.
  if (!overlaps && nextCursor !== null)
    return $shown.set({ ...current, calls, nextCursor, more: 'idle', asked: false })
  $shown.set({ ...current, calls: joined(calls, current.calls), asked: false })
}

/** Without duplicates; the first list's version wins. */
function joined(first: readonly CallRecord[], then: readonly CallRecord[]): readonly CallRecord[] {
  const known = new Set(first.map(call => call.id))
  return [...first, ...then.filter(call => !known.has(call.id))]
}

/** The filter of the list that is shown, or of the next one. */
export function shownFilter(): CallFilter {
  const history = $shown.get()
  return history.state === 'ready' ? history.filter : $entered.get()
}

export function isFiltered(history: History): boolean {
  return history.state === 'ready' && isFiltering(history.filter)
}

/** Private data: reload when the user changes. */
followSession(() => {
  if (opening === 0) return
  opening += 1
  clearTimeout(resting)
  $shown.set({ state: 'loading' })
  forgetTotals()
  if (loggedOutHere()) return
  void openHistory()
  void loadUser()
})
