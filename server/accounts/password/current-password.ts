import { type Result, success } from '#lib/result.ts'
import { minuteMs } from '#lib/time.ts'
import { failedLoginPolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { decoyHash, verifyPassword } from '../../identity/passwords.ts'
import { type AttemptLimit, countAttempt, forgetAttempts } from '../../limits/attempts.ts'
import { reportSecurityEvent } from '../../observability/security-events.ts'
import { answers } from '../account-texts.ts'

/** How long a sign-in counts as proof of ownership for an account without a password. */
const recentMs = 10 * minuteMs

/** The result of a successful ownership check: by password or, without one, by a recent sign-in. */
export interface Known {
  readonly passwordHash: string | null
}

export interface AskedFrom {
  /** The requesting session; undefined proves nothing. */
  readonly sessionId: string | undefined
  /** IP address as reported by our trusted proxies. */
  readonly address: string
}

export interface WrongPassword {
  readonly ok: false
  readonly code: 'wrong_password'
  readonly message: string
}

export function wrongPassword(): WrongPassword {
  return { ok: false, code: 'wrong_password', message: answers.wrongPassword }
}

function signInAgain(): WrongPassword {
  return { ok: false, code: 'wrong_password', message: answers.googleAgain }
}

export interface ProofNeeded {
  readonly ok: false
  readonly code: 'proof_needed'
  readonly message: string
}

export interface TooManyGuesses {
  readonly ok: false
  readonly code: 'too_many_guesses'
  readonly waitMs: number
}

/**
 * Proves ownership by a sign-in within the last 10 minutes or, if the account has one, by the password.
 * @param password empty: checks only the sign-in and counts no attempt
 */
export async function provesOwner(
  services: Services,
  userId: string,
  password: string,
  from: AskedFrom,
): Promise<Result<Known, never> | WrongPassword | ProofNeeded | TooManyGuesses> {
  const known = await hashKnown(services, userId, from.sessionId)
  if (known !== undefined) return success(known)
  if (password === '') {
    const [user] = await services.db.query<{ password_hash: string | null }>(
      'select password_hash from app_user where id = $1',
      [userId],
    )
    const message = user?.password_hash === null ? answers.googleAgain : answers.enterPassword
    return { ok: false, code: 'proof_needed', message }
  }
  const waitMs = await countPasswordAttempt(services, userId, from)
  if (waitMs > 0) return { ok: false, code: 'too_many_guesses', waitMs }
  return knowsPassword(services, userId, password, from)
}

async function hashKnown(
  services: Services,
  userId: string,
  sessionId: string | undefined,
): Promise<Known | undefined> {
  if (!(await signedInJustNow(services, userId, sessionId))) return undefined
  const [user] = await services.db.query<{ password_hash: string | null }>(
    'select password_hash from app_user where id = $1',
    [userId],
  )
  return user && { passwordHash: user.password_hash }
}

/**
 * Call before checking a password: the attempt counts as failed until `knowsPassword` finds it right.
 * @returns 0, or the milliseconds until the next attempt is allowed
 */
export async function countPasswordAttempt(
  services: Services,
  userId: string,
  { address }: Pick<AskedFrom, 'address'>,
): Promise<number> {
  const waitMs = await countAttempt(services, attemptsOf(userId))
  if (waitMs > 0) {
    const [user] = await services.db.query<{ email: string }>('select email from app_user where id = $1', [
      userId,
    ])
    reportSecurityEvent(services, 'sign_in_locked', { email: user?.email, address }, byCurrentPassword)
  }
  return waitMs
}

const byCurrentPassword = { by: 'current_password' }

function attemptsOf(userId: string): AttemptLimit {
  const { windowSeconds, maxPerAccount: max } = failedLoginPolicy
  return { kind: 'current_password', scope: 'account', subject: userId, max, windowSeconds }
}

/** Checks a signed-in user's password; without one, requires a sign-in within the last 10 minutes. */
export async function knowsPassword(
  services: Services,
  userId: string,
  password: string,
  { sessionId, address }: AskedFrom,
): Promise<Result<Known, never> | WrongPassword> {
  const [user] = await services.db.query<{ email: string; password_hash: string | null }>(
    'select email, password_hash from app_user where id = $1',
    [userId],
  )
  const refuse = () => {
    reportSecurityEvent(services, 'sign_in_failed', { email: user?.email, address }, byCurrentPassword)
    return wrongPassword()
  }
  if (user?.password_hash === null) {
    if (password !== '') return refuse()
    if (!(await signedInJustNow(services, userId, sessionId))) return signInAgain()
  } else {
    const stored = user?.password_hash ?? (await decoyHash())
    const matches = await verifyPassword(stored, password)
    if (!matches || user === undefined) return refuse()
  }
  await forgetAttempts(services, attemptsOf(userId))
  return success({ passwordHash: user.password_hash })
}

async function signedInJustNow(
  { db, clock }: Services,
  userId: string,
  sessionId: string | undefined,
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - recentMs)
  const recent = await db.query('select 1 from session where id = $1 and user_id = $2 and proved_at > $3', [
    sessionId ?? null,
    userId,
    since,
  ])
  return recent.length > 0
}

/** @returns the locked user, or undefined if the password changed since the check, which ran without a lock */
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
