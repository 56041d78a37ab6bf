import { type Result, success } from '#lib/result.ts'
import type { Db } from '../db/port.ts'
import { decoyHash, verifyPassword } from '../identity/passwords.ts'
import { signInPolicy } from '../policy.ts'
import type { Services } from './context.ts'
import { type Bucket, forget, type ThrottleTools, take } from './throttle.ts'

/** For so long a sign-in is the proof where there is no password to ask for. */
const recentMs = 10 * 60_000

/** Somebody signed in who has shown that they know the password, or, without one, that they signed in just now. */
export interface Known {
  readonly passwordHash: string | null
}

/** Not shown, and what to do about it. */
export interface WrongPassword {
  readonly ok: false
  readonly code: 'wrong_password'
  readonly message: string
}

export const wrongPassword: WrongPassword = {
  ok: false,
  code: 'wrong_password',
  message: 'That is not your current password. Check it and try again.',
}

const signInAgain: WrongPassword = {
  ...wrongPassword,
  message: 'Log in with Google again, then do this within 10 minutes.',
}

/**
 * Asked before the password of somebody who is signed in is looked at: whoever sits at a screen that was left open is not
 * to guess on. An attempt counts as a wrong one until `knowsPassword` finds it right.
 * @returns 0, or the milliseconds until another attempt is taken
 */
export async function takePasswordAttempt(tools: ThrottleTools, userId: string): Promise<number> {
  return take(tools, attemptsOf(userId))
}

function attemptsOf(userId: string): Bucket {
  return { name: 'current password', subject: userId, limit: signInPolicy.failedLogins.account }
}

/**
 * Checks the password of somebody who is signed in. Where the account has none, the session that asks must have been signed
 * in within the last 10 minutes: a screen that was left open is not its owner.
 * @param password empty where the account has none
 * @param sessionId the session that asks; undefined proves nothing
 */
export async function knowsPassword(
  services: Services,
  userId: string,
  password: string,
  sessionId: string | undefined,
): Promise<Result<Known, never> | WrongPassword> {
  const [user] = await services.db.query<{ password_hash: string | null }>(
    'select password_hash from app_user where id = $1',
    [userId],
  )
  if (user?.password_hash === null) {
    if (password !== '') return wrongPassword
    if (!(await signedInJustNow(services, userId, sessionId))) return signInAgain
  } else {
    const stored = user?.password_hash ?? (await decoyHash())
    const matches = await verifyPassword(stored, password)
    if (!matches || user === undefined) return wrongPassword
  }
  await forget(services, attemptsOf(userId))
  return success({ passwordHash: user.password_hash })
}

async function signedInJustNow(
  { db, clock }: Services,
  userId: string,
  sessionId: string | undefined,
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - recentMs)
  const recent = await db.query(
    'select 1 from session where id = $1 and user_id = $2 and signed_in_at > $3',
    [sessionId ?? null, userId, since],
  )
  return recent.length > 0
}

/**
 * Locks a user, and gives them only if the password is still the one that was known: it is checked without a lock, and
 * whoever chooses another one meanwhile has shut out all who knew the old one.
 */
export async function lockKnown(
  tx: Db,
  userId: string,
  { passwordHash }: Known,
): Promise<{ readonly email: string } | undefined> {
  const [user] = await tx.query<{ email: string; password_hash: string | null }>(
    'select email, password_hash from app_user where id = $1 for update',
    [userId],
  )
  return user?.password_hash === passwordHash ? user : undefined
}
