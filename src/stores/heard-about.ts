import { heardAbout as heardAboutEndpoint, type heardAboutSources } from '#lib/api/profile.ts'
import { safeNextPath } from '#lib/rules/next-path.ts'
import { authorised } from './api.ts'
import { goInstead } from './navigation.ts'
import { $session, start } from './session.ts'
import { localStore } from './storage.ts'
import type { ApiResult } from './transport.ts'
import { takeWish } from './wish.ts'

/**
 * The question where somebody heard about us. It stands between a confirmed address and the first call, once: this
 * browser notes at the confirmation that it is due, and asks after the sign-in, be it at once or later.
 */

export type HeardAboutSource = (typeof heardAboutSources)[number]

const dueKey = 'heardAbout'
/** As long as somebody who was asked to log in may take. */
const dueMs = 24 * 3600 * 1000

/** Notes that an address was confirmed in this browser just now. */
export function noteConfirmed(): void {
  localStore.write(dueKey, `${Date.now()}`)
}

function isDue(): boolean {
  const atMs = Number(localStore.read(dueKey) ?? Number.NaN)
  return Math.abs(Date.now() - atMs) < dueMs
}

/**
 * Where somebody goes who is signed in now: to where they were going when they were asked to sign in, by way of the
 * question if that is due.
 * @param address of the page they are on, for its `?next=`
 */
export function pathAfterSignIn(address: string): string {
  const path = takeWish(address, '/call')
  return isDue() && !path.startsWith('/heard-about') ? `/heard-about?next=${encodeURIComponent(path)}` : path
}

/** Goes on from a page for visitors, which does not stay in the history. */
export function goOnSignedIn(): void {
  goInstead(pathAfterSignIn(window.location.href))
}

let onward = '/call'

/**
 * Opens the question. Visitors are sent to log in and come back; `?once`, as the page of a confirmed address links it,
 * goes on at once unless it is due.
 */
export async function openHeardAbout(): Promise<void> {
  const address = new URL(window.location.href)
  await start()
  if ($session.get().status !== 'signed_in') {
    return goInstead(`/login?next=${encodeURIComponent(`${address.pathname}${address.search}`)}`)
  }
  onward = safeNextPath(address.searchParams.get('next'), '')
  if (onward === '') onward = takeWish(address.href, '/call')
  const asked = !isDue()
  localStore.remove(dueKey)
  if (asked && address.searchParams.has('once')) return goInstead(onward)
  // A reload asks again, and still knows where to go on.
  window.history.replaceState(
    window.history.state,
    '',
    `${address.pathname}?next=${encodeURIComponent(onward)}`,
  )
}

/**
 * Keeps the answer and goes on. A failure leaves the page as it is.
 * @param detail where, in the visitor's own words; may be empty
 */
export async function answerHeardAbout(
  source: HeardAboutSource,
  detail: string,
): Promise<ApiResult<typeof heardAboutEndpoint>> {
  const result = await authorised(heardAboutEndpoint, { body: { source, detail } })
  if (result.ok) goInstead(onward)
  else if (result.status === 401) goInstead(`/login?next=${encodeURIComponent(onward)}`)
  return result
}

/** Goes on at once, whatever becomes of noting that there was no answer. */
export function skipHeardAbout(): void {
  const skipped = { body: { source: null } }
  void authorised(heardAboutEndpoint, skipped, { keepalive: true, skipLogoutOnFail: true })
  goInstead(onward)
}
