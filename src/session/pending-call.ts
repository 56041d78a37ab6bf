import { pendingCallKey as key, localStore } from './storage.ts'
import { storedUserId } from './stored-user.ts'

/**
 * The number that somebody wants to call and has not called yet. It outlives registration, confirmation, signing in, a
 * checkout and a reload; `session.ts` removes it at a logout. In the browser's storage because the confirmation link opens
 * another tab; never in a URL. A visitor's is for whoever signs in; a user's is for that user alone.
 */
export interface PendingCall {
  /** `id` of a `Country`; its first two letters are the ISO code. */
  readonly country: string
  /** As in the dialler's field: digits with at most a leading plus. */
  readonly typed: string
  /** DTMF to play after the answer; empty for none. */
  readonly extension: string
  /** For people, grouped by the numbering plan where it has the number. */
  readonly formatted: string
  /** Unix milliseconds, by this browser's clock. */
  readonly atMs: number
}

/** As long as the confirmation link is valid. */
const lifeMs = 24 * 3600 * 1000

export function keepPendingCall(call: Omit<PendingCall, 'atMs'>): void {
  localStore.write(key, JSON.stringify({ ...call, userId: storedUserId(), atMs: Date.now() }))
}

/** Null if there is none, none of the last 24 hours, or only another user's. */
export function pendingCall(): PendingCall | null {
  try {
    const { userId, ...call } = JSON.parse(localStore.read(key) ?? '')
    const isOurs = (userId ?? null) === null || userId === storedUserId()
    return isOurs && isPendingCall(call) && Math.abs(Date.now() - call.atMs) < lifeMs ? call : null
  } catch {
    return null // Missing, or written by other code.
  }
}

/** By hand, because the pages that need it load no schemas. */
function isPendingCall(call: Readonly<Record<string, unknown>>): call is PendingCall & typeof call {
  const texts = ['country', 'typed', 'extension', 'formatted']
  return texts.every(name => typeof call[name] === 'string') && typeof call['atMs'] === 'number'
}

export function forgetPendingCall(): void {
  localStore.remove(key)
}
