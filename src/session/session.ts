import { atom } from 'nanostores'
import { sessionHintName } from '#lib/account/session-hint.ts'
import { login as loginEndpoint, logout as logoutEndpoint, refreshToken } from '#lib/api/sign-in.ts'
import {
  callAfterCheckoutKey,
  consumeFromTab,
  freeCallUsedKey,
  giftDraftKey,
  hasCookie,
  localStore,
  pendingCallKey,
  tabStore,
} from './storage.ts'
import { isExpired } from './token-claims.ts'
import { type ApiResult, type RequestOptions, request } from './transport.ts'

export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'signed_out' }
  | { readonly status: 'signed_in'; readonly token: string }

/** `unreachable`: no answer, or one that says nothing about the session. */
export type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable'

export const tokenKey = 'token'
/** In this tab: the user logged out here, so the next refresh is skipped. */
const logoutMarkKey = 'loggedOut'
/**
 * In all tabs: the server has not confirmed a logout, so the cookie may still be valid. Until it has, or
 * someone signs in, no tab refreshes and no stored token counts.
 */
const unheardLogoutKey = 'unheardLogout'
const refreshTimeoutMs = 10_000
const logoutTimeoutMs = 5_000
/** The user's caller ID; removed at logout, so that the next user of this browser does not find it. */
export const callFromKey = 'callFrom'
const lockName = 'farline-session'
const lockWaitMs = 15_000

/** Starts as `loading`; `start()` decides. */
export const $session = atom<Session>({ status: 'loading' })

let starting: Promise<void> | null = null
let refreshing: Promise<RefreshOutcome> | null = null
let leaving: Promise<void> = Promise.resolve()
let signedInElsewhere = false
/** Counts logins and logouts, so that a refresh in progress cannot undo one. */
let turn = 0

/** The current access token, possibly expired; null when signed out. */
export function currentToken(): string | null {
  const session = $session.get()
  return session.status === 'signed_in' ? session.token : null
}

function isLogoutUnheard(): boolean {
  return localStore.read(unheardLogoutKey) !== null
}

/** Null after an unconfirmed logout: another tab may have renewed the token meanwhile. */
function storedToken(): string | null {
  return isLogoutUnheard() ? null : localStore.read(tokenKey)
}

function adopt(token: string | null): void {
  if (token !== null && token === currentToken()) return
  if (token !== null) tabStore.remove(logoutMarkKey) // someone logged in after that logout
  $session.set(token === null ? { status: 'signed_out' } : { status: 'signed_in', token })
  // The static frame shows its links by this attribute; before first paint it reads the token itself.
  if (typeof document !== 'undefined')
    document.documentElement.dataset.session = token === null ? 'out' : 'in'
}

function keep(token: string): void {
  localStore.write(tokenKey, token)
  adopt(token)
}

/** Signs out locally without a request to the server; other tabs follow. */
export function endSession(): void {
  turn += 1
  localStore.remove(tokenKey)
  localStore.remove(freeCallUsedKey)
  adopt(null)
}

/** Runs in one tab at a time, if the browser has locks; after `lockWaitMs` it runs without the lock. */
async function withSessionLock<Value>(work: () => Promise<Value>): Promise<Value> {
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

function supersededOutcome(): RefreshOutcome {
  return currentToken() === null ? 'refused' : 'refreshed'
}

/** Applies what another tab has stored; its `storage` event may come later. */
function follow(): void {
  const token = storedToken()
  if (token !== currentToken()) turn += 1
  adopt(token)
}

async function renew(stale: string | null): Promise<RefreshOutcome> {
  const askedOn = turn
  const before = storedToken()
  // Before the wait for the lock: while the page loads its files, to read a cookie takes up to 30 ms.
  const hinted = hasCookie(sessionHintName)
  const loggedOutElsewhere = () => isLogoutUnheard() || (before !== null && storedToken() === null)
  return withSessionLock(async () => {
    if (turn !== askedOn) return supersededOutcome()
    if (loggedOutElsewhere()) {
      follow()
      return 'refused'
    }
    const stored = storedToken()
    if (stored !== null && stored !== stale && (stored !== before || !isExpired(stored, Date.now()))) {
      adopt(stored) // another tab was quicker
      return 'refreshed'
    }
    // No token and no hint of the refresh cookie, which scripts cannot see (ADR-46): a request would only log a 401.
    if (stored === null && stale === null && !signedInElsewhere && !hinted) return 'refused'
    const result = await request(refreshToken, {}, { timeoutMs: refreshTimeoutMs })
    if (turn !== askedOn) return supersededOutcome()
    if (loggedOutElsewhere()) {
      follow()
      return 'refused'
    }
    if (result.ok) {
      keep(result.value.token)
      return 'refreshed'
    }
    // SPEC-7.2 treats every answer that is not ok as a failure. But an overloaded or throttling server (5xx,
    // 429) has not checked the cookie, so only 401 and 403 end a session.
    return result.status === 401 || result.status === 403 ? 'refused' : 'unreachable'
  })
}

/**
 * Renews the access token because `stale` was missing, expired or refused. Concurrent calls share one request. No
 * request is sent if the token has been replaced meanwhile, or for a visitor without a token and a session hint. Skips
 * once after a logout (SPEC-4.3); retries an unconfirmed logout instead. Never ends a session.
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
  if (consumeFromTab(logoutMarkKey) !== null) return Promise.resolve('refused')
  refreshing = renew(stale).finally(() => {
    refreshing = null
  })
  return refreshing
}

/** Keeps tabs in step. A page restored from the back/forward cache has missed events. */
function followOtherTabs(): void {
  if (typeof window === 'undefined') return
  window.addEventListener('storage', event => {
    if (event.key === tokenKey || event.key === null) follow()
  })
  window.addEventListener('pageshow', event => {
    if (event.persisted) follow()
  })
}

/** Sends the logout to the server, unless another tab has or someone has signed in since. */
async function sendLogout(): Promise<void> {
  if (!isLogoutUnheard()) return
  localStore.remove(tokenKey) // another tab may have renewed it meanwhile
  const result = await request(logoutEndpoint, {}, { timeoutMs: logoutTimeoutMs, keepalive: true })
  // For other rejections the server has processed the request; a retry would not help.
  const unheard = !result.ok && (result.status < 400 || result.status === 429 || result.status >= 500)
  if (!unheard) localStore.remove(unheardLogoutKey)
}

async function finishLogout(): Promise<RefreshOutcome> {
  await withSessionLock(sendLogout)
  follow()
  return supersededOutcome()
}

/** On the return from Google, the new cookie supersedes any token and any logout of this browser. */
function makeWayForSignIn(): void {
  const address = typeof window === 'undefined' ? null : URL.parse(window.location?.href ?? '')
  if (address?.searchParams.has('signed_in') !== true) return
  signedInElsewhere = true
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
  // Without a verdict, keep the token: the server decides, not this clock or this network.
  if (outcome === 'unreachable' && stored !== null) adopt(stored)
  else endSession()
}

/** Decides once per page whether the visitor is signed in. One refresh at most: a wrong clock must cause no loop. */
export function start(): Promise<void> {
  starting ??= load()
  return starting
}

type TokenResult = { readonly ok: true; readonly value: { readonly token: string } } | { readonly ok: false }

/** Stores the `token` of the answer. Refreshes and logouts set and clear the same cookie, so all share one lock. */
export async function signIn<Outcome extends TokenResult>(send: () => Promise<Outcome>): Promise<Outcome> {
  await leaving // for browsers without locks
  return withSessionLock(async () => {
    const outcome = await send()
    const answer: TokenResult = outcome
    if (answer.ok) {
      turn += 1
      localStore.remove(unheardLogoutKey)
      keep(answer.value.token)
    }
    return outcome
  })
}

export function login(
  email: string,
  password: string,
  options: RequestOptions = {},
): Promise<ApiResult<typeof loginEndpoint>> {
  return signIn(() => request(loginEndpoint, { body: { email, password } }, options))
}

/** Whether this tab's `logout()` ended the session; its caller then redirects. */
export function loggedOutHere(): boolean {
  return currentToken() === null && tabStore.read(logoutMarkKey) !== null
}

/** Removes what the next user of this browser must not find. A session that merely expired keeps it for its user. */
export function forgetUser(): void {
  for (const key of [callFromKey, pendingCallKey, giftDraftKey]) localStore.remove(key)
  tabStore.remove(callAfterCheckoutKey)
}

/** Signs out here at once, then on the server; suppresses the next refresh. */
export function logout(): Promise<void> {
  localStore.write(unheardLogoutKey, 'yes')
  tabStore.write(logoutMarkKey, 'yes')
  forgetUser()
  endSession()
  leaving = withSessionLock(sendLogout)
  return leaving
}
