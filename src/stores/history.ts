import { atom, type ReadableAtom } from 'nanostores'
import { type CallRecord, calls as callsEndpoint } from '#lib/api/calls.ts'
import type { RequestInput } from '#lib/api/endpoint.ts'
import {
  type CallFilter,
  callFilterQuery,
  everyCall,
  isFiltering,
  readCallFilter,
  writeCallFilter,
} from '#lib/rules/call-filter.ts'
import { type AuthorisedOptions, authorised } from './api.ts'
import { followSession } from './follow-session.ts'
import { forgetTotals, refreshTotals } from './history-totals.ts'
import { goInstead } from './navigation.ts'
import { $session, loggedOutHere, start } from './session.ts'
import type { ApiResult } from './transport.ts'
import { loadUser } from './user.ts'

export type History =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready'
      /** Newest first. */
      readonly calls: readonly CallRecord[]
      readonly nextCursor: string | null
      readonly more: 'idle' | 'loading' | 'failed'
      /** What these calls were asked for by. */
      readonly filter: CallFilter
      /** Whether somebody asked for what was added last, and waits to hear of it; false once calls came by themselves. */
      readonly asked: boolean
    }

const $shown = atom<History>({ state: 'loading' })
/** This user's calls, as far as they have been asked for. Written here alone. */
export const $history: ReadableAtom<History> = $shown

const $entered = atom<CallFilter>(everyCall)
/** What the fields of the filter hold, a moment before the list follows. Written here alone. */
export const $filter: ReadableAtom<CallFilter> = $entered

/** Milliseconds without a change after which what is typed counts. */
export const filterRestMs = 350

/** Counts lists that were asked for, so that an answer to an older one is dropped. */
let opening = 0
let resting: ReturnType<typeof setTimeout> | undefined
/** Whether the last change was made by typing: the next one then takes its place in the browser's history. */
let typing = false

function sendToLogin(): void {
  goInstead(`/login?next=${encodeURIComponent(`/call-history${writeCallFilter($entered.get())}`)}`)
}

/** Loads the newest calls that the address asks for. Visitors are sent to log in and come back. */
export async function openHistory(): Promise<void> {
  readAddress()
  await showCalls()
}

/** Follows the address after Back or Forward; the list stays until the other one is there. */
export async function followAddress(): Promise<void> {
  readAddress()
  await load()
}

function readAddress(): void {
  clearTimeout(resting)
  typing = false
  $entered.set(readCallFilter(new URL(window.location.href).searchParams))
}

/** Loads the newest calls again after a failure. */
export async function showCalls(): Promise<void> {
  $shown.set({ state: 'loading' })
  await load()
}

/**
 * Changes some fields of the filter. The list follows once nobody has changed them for a moment, and so does the address:
 * a link to it shows the same, and Back takes the change back.
 */
export function changeFilter(change: Partial<CallFilter>): void {
  const before = $entered.get()
  const filter = { ...before, ...change }
  $entered.set(filter)
  clearTimeout(resting)
  resting = setTimeout(() => apply('who' in change), filterRestMs)
}

/** Shows every call again, at once. */
export async function clearFilter(): Promise<void> {
  clearTimeout(resting)
  $entered.set(everyCall)
  await apply(false)
}

async function apply(typed: boolean): Promise<void> {
  const path = `/call-history${writeCallFilter($entered.get())}`
  const { pathname, search } = new URL(window.location.href)
  if (path === `${pathname}${search}`) return
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
  const result = await askCalls(callFilterQuery(filter), () => mine === opening)
  if (mine !== opening) return
  if (result.ok) return $shown.set({ state: 'ready', ...result.value, more: 'idle', filter, asked: true })
  if (result.status === 401) return sendToLogin()
  $shown.set({ state: 'failed', message: result.message })
}

/**
 * The next page that holds a call, or the last one: the server looks through so many at a time, and one that a filter means may
 * be far back.
 */
async function askCalls(
  query: RequestInput<typeof callsEndpoint>['query'],
  isWanted: () => boolean,
  options: AuthorisedOptions = {},
): Promise<ApiResult<typeof callsEndpoint>> {
  const result = await authorised(callsEndpoint, { query }, options)
  if (!result.ok || result.value.calls.length > 0 || !isWanted()) return result
  const { nextCursor } = result.value
  return nextCursor === null ? result : askCalls({ ...query, cursor: nextCursor }, isWanted, options)
}

/** Loads the next older page and appends it. Does nothing while one is on its way or when there is none. */
export async function loadMore(): Promise<void> {
  const history = $shown.get()
  if (history.state !== 'ready' || history.more === 'loading' || history.nextCursor === null) return
  const mine = opening
  $shown.set({ ...history, more: 'loading' })
  const query = { ...callFilterQuery(history.filter), cursor: history.nextCursor }
  const result = await askCalls(query, () => mine === opening)
  const current = $shown.get()
  if (mine !== opening || current.state !== 'ready') return
  if (!result.ok) {
    if (result.status === 401) return sendToLogin()
    return $shown.set({ ...current, more: 'failed' })
  }
  const { calls, nextCursor } = result.value
  $shown.set({ ...current, calls: joined(current.calls, calls), nextCursor, more: 'idle', asked: true })
}

/** Brings what has happened meanwhile into the list, which keeps what else it holds: nobody loses their place. */
export async function refreshHistory(): Promise<void> {
  const before = $shown.get()
  if (before.state !== 'ready') return
  const mine = opening
  void refreshTotals(before.filter)
  const query = callFilterQuery(before.filter)
  const result = await askCalls(query, () => mine === opening, { skipLogoutOnFail: true })
  const current = $shown.get()
  // What is missed here comes with the next event, or with the next look at the page.
  if (!result.ok || mine !== opening || current.state !== 'ready') return
  const { calls, nextCursor } = result.value
  const fresh = new Set(calls.map(call => call.id))
  const overlaps = current.calls.some(call => fresh.has(call.id))
  // So many are new that some may stand between them and the list: it begins anew.
  if (!overlaps && nextCursor !== null)
    return $shown.set({ ...current, calls, nextCursor, more: 'idle', asked: false })
  $shown.set({ ...current, calls: joined(calls, current.calls), asked: false })
}

/** Each call once, as the first list has it. */
function joined(first: readonly CallRecord[], then: readonly CallRecord[]): readonly CallRecord[] {
  const known = new Set(first.map(call => call.id))
  return [...first, ...then.filter(call => !known.has(call.id))]
}

/** What the calls that are shown were asked for by; what will be, while none are. */
export function shownFilter(): CallFilter {
  const history = $shown.get()
  return history.state === 'ready' ? history.filter : $entered.get()
}

/** Whether the list that is shown leaves calls out. */
export function isFiltered(history: History): boolean {
  return history.state === 'ready' && isFiltering(history.filter)
}

/** What one user sees, nobody else does: what is shown goes, and is asked for again by whoever is signed in then. */
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
