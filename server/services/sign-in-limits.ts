import { signInPolicy } from '../policy.ts'
import { isLoopback, networkOf } from './calls/origin.ts'
import { type Bucket, forget, giveBack, type ThrottleTools, take } from './throttle.ts'

const { failedLogins, mails } = signInPolicy

/** What a mail is for: each kind is counted for itself. */
export type MailKind = 'confirmation' | 'reset'

/**
 * Asked before a password is looked at: an attempt counts as failed until it has succeeded, so that many at once are no
 * more guesses than one after the other. Unknown addresses count as known ones do.
 * @param email as accounts are keyed by it
 * @param address IP address, as the proxies that we trust tell it
 * @returns 0, or the milliseconds until another attempt is taken
 */
export async function takeLogin(tools: ThrottleTools, email: string, address: string): Promise<number> {
  const byAddress = addressBucket('login', address, failedLogins.address)
  const addressWaitMs = byAddress === undefined ? 0 : await take(tools, byAddress)
  return addressWaitMs > 0 ? addressWaitMs : take(tools, loginBucket(email))
}

/** The attempt was the account's owner: none of its failures count any more. */
export async function loginSucceeded(tools: ThrottleTools, email: string, address: string): Promise<void> {
  const byAddress = addressBucket('login', address, failedLogins.address)
  if (byAddress !== undefined) await giveBack(tools, byAddress)
  await forget(tools, loginBucket(email))
}

/**
 * One more mail of a kind to an address: 1 a minute, and 5 an hour or, of resets, in 30 minutes. Ask whether or not the
 * address has an account, so that the answer tells nobody.
 * @returns 0, or the milliseconds until another one is taken
 */
export async function takeMail(tools: ThrottleTools, kind: MailKind, email: string): Promise<number> {
  const minute: Bucket = { name: `${kind} a minute`, subject: email, limit: mails.account }
  const waitMs = await take(tools, minute)
  if (waitMs > 0) return waitMs
  const longWaitMs = await take(tools, longBucket(kind, email))
  // No mail goes out: whoever asks again within the minute is told the whole time again.
  if (longWaitMs > 0) await giveBack(tools, minute)
  return longWaitMs
}

/**
 * The same, for mails that cannot be left out: a registration brings a password of its own, which only its own mail
 * may confirm. Those count towards the minute, and only the hour limits them.
 * @returns 0, or the milliseconds until another one is taken
 */
export async function takeRegistration(tools: ThrottleTools, email: string): Promise<number> {
  await take(tools, { name: 'confirmation a minute', subject: email, limit: mails.account })
  return take(tools, longBucket('confirmation', email))
}

/** Mails asked for from one address, whomever to. @returns 0, or the milliseconds until another one is taken */
export async function takeMailFrom(tools: ThrottleTools, address: string): Promise<number> {
  const bucket = addressBucket('mail', address, mails.address)
  return bucket === undefined ? 0 : take(tools, bucket)
}

function longBucket(kind: MailKind, email: string): Bucket {
  const limit = kind === 'reset' ? mails.resetLong : mails.accountLong
  return { name: `${kind} in the long run`, subject: email, limit }
}

function loginBucket(email: string): Bucket {
  return { name: 'login account', subject: email, limit: failedLogins.account }
}

/** None for loopback: this very machine, or a proxy that hides everybody behind one address. */
function addressBucket(name: string, address: string, limit: Bucket['limit']): Bucket | undefined {
  if (isLoopback(address)) return undefined
  return { name: `${name} address`, subject: networkOf(address), limit }
}
