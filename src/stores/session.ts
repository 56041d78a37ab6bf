import { atom } from 'nanostores'
import { login as loginEndpoint, logout as logoutEndpoint, refreshToken } from '#lib/api/sign-in.ts'
import { isExpired } from '#lib/rules/session.ts'
import { localStore, tabStore, takeFromTab } from './storage.ts'
import { type ApiResult, type RequestOptions, request } from './transport.ts'

export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'signed_out' }
  | { readonly status: 'signed_in'; readonly token: string }

/** `unreachable`: no answer came, or one that says nothing of the session, so nobody refused it. */
export type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable'

export const tokenKey = 'token'
/** In the tab: a logout was asked for here, so the next refresh is left out. */
const logoutMarkKey = 'loggedOut'
/**
 * For all tabs, and kept: the server has yet to hear of a logout, so the cookie may still be good. Until it has heard, or
 * somebody signs in, no tab refreshes and no stored token counts.
 */
const unheardLogoutKey = 'unheardLogout'
const refreshTimeoutMs = 10_000
const logoutTimeoutMs = 5_000
const lockName = 'farline-session'
const lockWaitMs = 15_000

/** Who this browser is signed in as. Starts as `loading`; `start()` decides. Written here alone. */
export const $session = atom<Session>({ status: 'loading' })

let starting: Promise<void> | null = null
let refreshing: Promise<RefreshOutcome> | null = null
let leaving: Promise<void> = Promise.resolve()
/** Counts logins and logouts, so that a refresh that was under way cannot undo one. */
let turn = 0

/** The access token as this browser holds it now, whatever it may be worth; null when signed out. */
export function currentToken(): string | null {
  const session = $session.get()
  return session.status === 'signed_in' ? session.token : null
}

function isLogoutUnheard(): boolean {
  return localStore.read(unheardLogoutKey) !== null
}

/** The token that all tabs share. One that a tab renewed while another logged out is none. */
function storedToken(): string | null {
  return isLogoutUnheard() ? null : localStore.read(tokenKey)
}

function adopt(token: string | null): void {
  if (token !== null && token === currentToken()) return
  if (token !== null) tabStore.remove(logoutMarkKey) // somebody logged in after that logout
  $session.set(token === null ? { status: 'signed_out' } : { status: 'signed_in', token })
  // The static frame shows its links by this; before first paint it looked for the token itself.
  if (typeof document !== 'undefined')
    document.documentElement.dataset.session = token === null ? 'out' : 'in'
}

function keep(token: string): void {
  localStore.write(tokenKey, token)
  adopt(token)
}

/** Signs out on this side only: the token goes, the server is not told. Other tabs follow. */
export function endSession(): void {
  turn += 1
  localStore.remove(tokenKey)
  adopt(null)
}

/** One tab at a time, where the browser has locks; a lock that does not come is not waited for for ever. */
async function alone<Value>(work: () => Promise<Value>): Promise<Value> {
  if (typeof navigator === 'undefined' || navigator.locks === undefined) return work()
  let begun = false
  try {
    return await navigator.locks.request(lockName, { signal: AbortSignal.timeout(lockWaitMs) }, () => {
      begun = true
      return work()
    })
  } catch (thrown) {
    if (begun) throw thrown
    return work()
  }
}

/** What a refresh has come to whose answer does not count any more. */
function overtaken(): RefreshOutcome {
  return currentToken() === null ? 'refused' : 'refreshed'
}

/** Takes over what another tab has done since: news of it may come later than what it did. */
function follow(): void {
  const token = storedToken()
  if (token !== currentToken()) turn += 1
  adopt(token)
}

async function renew(stale: string | null): Promise<RefreshOutcome> {
  const askedOn = turn
  const before = storedToken()
  const loggedOutElsewhere = () => isLogoutUnheard() || (before !== null && storedToken() === null)
  return alone(async () => {
    if (turn !== askedOn) return overtaken()
    if (loggedOutElsewhere()) {
      follow()
      return 'refused'
    }
    const stored = storedToken()
    if (stored !== null && stored !== stale && (stored !== before || !isExpired(stored, Date.now()))) {
      adopt(stored) // another tab was quicker
      return 'refreshed'
    }
    const result = await request(refreshToken, {}, { timeoutMs: refreshTimeoutMs })
    if (turn !== askedOn) return overtaken()
    if (loggedOutElsewhere()) {
      follow()
      return 'refused'
    }
    if (result.ok) {
      keep(result.value.token)
      return 'refreshed'
    }
    // Specification section 7 takes every answer that is not ok for a failure. A server that is overloaded or
    // throttles (5xx, 429) has not looked at the cookie, and a session is never lost by accident: only 401 and
    // 403 refuse it.
    return result.status === 401 || result.status === 403 ? 'refused' : 'unreachable'
  })
}

/**
 * Renews the access token because `stale` was missing, expired or refused. Calls at the same time share
 * one request; one that comes late, with a token that has been replaced meanwhile, makes none. Does
 * nothing once after a logout (specification section 4), tells the server instead of a logout that it has not heard,
 * and never ends a session by itself.
 */
export function refreshAfter(stale: string | null): Promise<RefreshOutcome> {
  if (refreshing !== null) return refreshing
  if (isLogoutUnheard()) {
    refreshing = finishLogout().finally(() => {
      refreshing = null
    })
    return refreshing
  }
  const token = currentToken()
  if (token !== null && token !== stale) return Promise.resolve('refreshed')
  if (takeFromTab(logoutMarkKey) !== null) return Promise.resolve('refused')
  refreshing = renew(stale).finally(() => {
    refreshing = null
  })
  return refreshing
}

/** Two tabs stay in step; a page that comes back from the browser's memory has missed what happened. */
function followOtherTabs(): void {
  if (typeof window === 'undefined') return
  window.addEventListener('storage', event => {
    if (event.key === tokenKey || event.key === null) follow()
  })
  window.addEventListener('pageshow', event => {
    if (event.persisted) follow()
  })
}

/** Tells the server of a logout, unless another tab has, or somebody has signed in since. */
async function tellServer(): Promise<void> {
  if (!isLogoutUnheard()) return
  localStore.remove(tokenKey) // another tab may have renewed it at that very moment
  const result = await request(logoutEndpoint, {}, { timeoutMs: logoutTimeoutMs, keepalive: true })
  // Any other refusal comes from a server that has looked at the request: asking again would change nothing.
  const unheard = !result.ok && (result.status < 400 || result.status === 429 || result.status >= 500)
  if (!unheard) localStore.remove(unheardLogoutKey)
}

/** Instead of a refresh, while the server has yet to hear of a logout. */
async function finishLogout(): Promise<RefreshOutcome> {
  await alone(tellServer)
  follow()
  return overtaken()
}

/** The way back from Google: the cookie that was set there is newer than any token, and than any logout, of this browser. */
function makeWayForSignIn(): void {
  const address = typeof window === 'undefined' ? null : URL.parse(window.location?.href ?? '')
  if (address?.searchParams.has('signed_in') !== true) return
  localStore.remove(tokenKey)
  localStore.remove(unheardLogoutKey)
  tabStore.remove(logoutMarkKey)
}

async function load(): Promise<void> {
  followOtherTabs()
  makeWayForSignIn()
  const stored = storedToken()
  if (stored !== null) tabStore.remove(logoutMarkKey)
  if (!isExpired(stored, Date.now())) return adopt(stored)
  const outcome = await refreshAfter(stored)
  if ($session.get().status !== 'loading') return
  // With no verdict the old token stays: the server, not this clock or this network, decides its worth.
  if (outcome === 'unreachable' && stored !== null) adopt(stored)
  else endSession()
}

/**
 * Decides once per page whether the visitor is signed in. At most one refresh happens here, so that a
 * clock that is wrong cannot start a loop: whatever token the server then gave is used until it refuses it.
 */
export function start(): Promise<void> {
  starting ??= load()
  return starting
}

type TokenResult = { readonly ok: true; readonly value: { readonly token: string } } | { readonly ok: false }

/**
 * Signs in by what `send` asks the server, and stores the token of its answer under the key `token`. Refreshes and
 * logouts set and clear the same cookie, so it waits for those of any tab, and they for it.
 */
export async function signIn<Outcome extends TokenResult>(send: () => Promise<Outcome>): Promise<Outcome> {
  await leaving // where the browser has no locks
  return alone(async () => {
    const outcome = await send()
    const answer: TokenResult = outcome
    if (answer.ok) {
      turn += 1
      // The server ends with it whatever session this browser's cookie was of.
      localStore.remove(unheardLogoutKey)
      keep(answer.value.token)
    }
    return outcome
  })
}

/** Signs in with a password. */
export function login(
  email: string,
  password: string,
  options: RequestOptions = {},
): Promise<ApiResult<typeof loginEndpoint>> {
  return signIn(() => request(loginEndpoint, { body: { email, password } }, options))
}

/** Whether it was this tab's own `logout()`, whose caller leads on, that ended the session. */
export function loggedOutHere(): boolean {
  return currentToken() === null && tabStore.read(logoutMarkKey) !== null
}

/** Signs out here at once, then tells the server, and suppresses the next refresh. */
export function logout(): Promise<void> {
  localStore.write(unheardLogoutKey, 'yes')
  tabStore.write(logoutMarkKey, 'yes')
  endSession()
  leaving = alone(tellServer)
  return leaving
}
