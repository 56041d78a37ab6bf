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
 * Whether one more mail of a kind may go to an address now: 1 a minute and 5 an hour. Where not, answer as always and send
 * none, since its owner has just got one. Ask whether or not the address has an account.
 */
export async function mayMail(tools: ThrottleTools, kind: MailKind, email: string): Promise<boolean> {
  return (await takeMail(tools, kind, email)) === 0
}

/**
 * The same, for mails that cannot be left out: a registration brings a password of its own, which only its own mail
 * may confirm. Those count towards the minute, and only the hour limits them.
 * @returns 0, or the milliseconds until another one is taken
 */
export async function takeRegistration(tools: ThrottleTools, email: string): Promise<number> {
  await take(tools, { name: 'confirmation a minute', subject: email, limit: mails.account })
  return take(tools, { name: 'confirmation an hour', subject: email, limit: mails.accountLong })
}

/** Mails asked for from one address, whomever to. @returns 0, or the milliseconds until another one is taken */
export async function takeMailFrom(tools: ThrottleTools, address: string): Promise<number> {
  const bucket = addressBucket('mail', address, mails.address)
  return bucket === undefined ? 0 : take(tools, bucket)
}

async function takeMail(tools: ThrottleTools, kind: MailKind, email: string): Promise<number> {
  const waitMs = await take(tools, { name: `${kind} a minute`, subject: email, limit: mails.account })
  if (waitMs > 0) return waitMs
  return take(tools, { name: `${kind} an hour`, subject: email, limit: mails.accountLong })
}

function loginBucket(email: string): Bucket {
  return { name: 'login account', subject: email, limit: failedLogins.account }
}

/** None for loopback: this very machine, or a proxy that hides everybody behind one address. */
function addressBucket(name: string, address: string, limit: Bucket['limit']): Bucket | undefined {
  if (isLoopback(address)) return undefined
  return { name: `${name} address`, subject: networkOf(address), limit }
}
