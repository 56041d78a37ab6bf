import { failedLoginPolicy } from '../../config/policy.ts'
import {
  type AttemptLimit,
  type AttemptTools,
  countAttempt,
  forgetAttempts,
  uncountAttempt,
} from '../../limits/attempts.ts'
import { isLoopback, networkOf } from '../../limits/origin.ts'

/** A browser with an earlier sign-in, by its cookie (`server/accounts/sign-in/known-device-cookie.ts`). */
export interface KnownBrowser {
  readonly id: string
  /** User ids. */
  readonly accounts: readonly string[]
}

/** Names the browser and the account; undefined if this account has not signed in there. */
export function knownDeviceOf(
  known: KnownBrowser | undefined,
  userId: string | undefined,
): string | undefined {
  if (known === undefined || userId === undefined || !known.accounts.includes(userId)) return undefined
  return `${known.id} ${userId}`
}

/**
 * Call before checking a password: an attempt counts as failed until it succeeds. Unknown addresses count too.
 * @param address IP address as reported by our trusted proxies
 * @param knownDevice counted apart, so that nobody elsewhere can lock the owner out
 * @returns 0, or the milliseconds until the next attempt is allowed
 */
export async function countLogin(
  tools: AttemptTools,
  email: string,
  address: string,
  knownDevice?: string,
): Promise<number> {
  if (knownDevice !== undefined) return countAttempt(tools, deviceLimit(knownDevice))
  const byAddress = addressLimit(address)
  const addressWaitMs = byAddress === undefined ? 0 : await countAttempt(tools, byAddress)
  return addressWaitMs > 0 ? addressWaitMs : countAttempt(tools, accountLimit(email))
}

/** Clears the failures, except those from elsewhere after a sign-in on a known browser: guessers must not benefit. */
export async function loginSucceeded(
  tools: AttemptTools,
  email: string,
  address: string,
  knownDevice?: string,
): Promise<void> {
  if (knownDevice !== undefined) return forgetAttempts(tools, deviceLimit(knownDevice))
  const byAddress = addressLimit(address)
  if (byAddress !== undefined) await uncountAttempt(tools, byAddress)
  await forgetAttempts(tools, accountLimit(email))
}

const { windowSeconds, maxPerAccount, maxPerAddress, maxPerKnownDevice } = failedLoginPolicy

function deviceLimit(knownDevice: string): AttemptLimit {
  return { kind: 'login', scope: 'device', subject: knownDevice, max: maxPerKnownDevice, windowSeconds }
}

function accountLimit(email: string): AttemptLimit {
  return { kind: 'login', scope: 'account', subject: email, max: maxPerAccount, windowSeconds }
}

/** No limit for loopback: it is this machine, or a proxy that hides everybody behind one address. */
function addressLimit(address: string): AttemptLimit | undefined {
  if (isLoopback(address)) return undefined
  return { kind: 'login', scope: 'address', subject: networkOf(address), max: maxPerAddress, windowSeconds }
}
