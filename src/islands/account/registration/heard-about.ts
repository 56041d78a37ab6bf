import { safeNextPath } from '#lib/account/next-path.ts'
import { heardAbout as heardAboutEndpoint, type heardAboutSources } from '#lib/api/profile.ts'
import { authorised } from '#session/api.ts'
import { goInstead } from '#session/navigation.ts'
import { consumeReturnPath } from '#session/return-path.ts'
import { $session, start } from '#session/session.ts'
import { localStore } from '#session/storage.ts'
import type { ApiResult } from '#session/transport.ts'

/** Asked once, after the address is confirmed and the user has signed in, however late. */

export type HeardAboutSource = (typeof heardAboutSources)[number]

const dueKey = 'heardAbout'
/** As long as a visitor may take to log in. */
const dueMs = 24 * 3600 * 1000

export function noteConfirmed(): void {
  localStore.write(dueKey, `${Date.now()}`)
}

function isDue(): boolean {
  const atMs = Number(localStore.read(dueKey) ?? Number.NaN)
  return Math.abs(Date.now() - atMs) < dueMs
}

/** The return path after a sign-in, by way of the question if due. @param address the current one */
export function pathAfterSignIn(address: string): string {
  const path = consumeReturnPath(address, '/call')
  return isDue() && !path.startsWith('/heard-about') ? `/heard-about?next=${encodeURIComponent(path)}` : path
}

/** Leaves a page for visitors, which does not stay in the history. */
export function goOnSignedIn(): void {
  goInstead(pathAfterSignIn(window.location.href))
}

let onward = '/call'

/** Visitors are sent to log in and return. With `?once`, skips the page unless the question is due. */
export async function openHeardAbout(): Promise<void> {
  const address = new URL(window.location.href)
  await start()
  if ($session.get().status !== 'signed_in') {
    return goInstead(`/login?next=${encodeURIComponent(`${address.pathname}${address.search}`)}`)
  }
  onward = safeNextPath(address.searchParams.get('next'), '')
  if (onward === '') onward = consumeReturnPath(address.href, '/call')
  const asked = !isDue()
  localStore.remove(dueKey)
  if (asked && address.searchParams.has('once')) return goInstead(onward)
  // A reload asks again and keeps the return path.
  window.history.replaceState(
    window.history.state,
    '',
    `${address.pathname}?next=${encodeURIComponent(onward)}`,
  )
}

/** A failure stays on the page. @param detail in the visitor's own text; may be empty */
export async function answerHeardAbout(
  source: HeardAboutSource,
  detail: string,
): Promise<ApiResult<typeof heardAboutEndpoint>> {
  const result = await authorised(heardAboutEndpoint, { body: { source, detail } })
  if (result.ok) goInstead(onward)
  else if (result.status === 401) goInstead(`/login?next=${encodeURIComponent(onward)}`)
  return result
}

export function skipHeardAbout(): void {
  const skipped = { body: { source: null } }
  void authorised(heardAboutEndpoint, skipped, { keepalive: true, skipLogoutOnFail: true })
  goInstead(onward)
}
