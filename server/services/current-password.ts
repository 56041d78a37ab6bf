import type { Db } from '../db/port.ts'
import { decoyHash, verifyPassword } from '../identity/passwords.ts'
import { signInPolicy } from '../policy.ts'
import type { Services } from './context.ts'
import { type Bucket, forget, type ThrottleTools, take } from './throttle.ts'

/** Somebody signed in who has shown that they know the password, or whose account has none. */
export interface Known {
  readonly passwordHash: string | null
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
 * Checks the password of somebody who is signed in.
 * @param password empty where the account has none
 * @returns undefined when it is wrong
 */
export async function knowsPassword(
  services: Services,
  userId: string,
  password: string,
): Promise<Known | undefined> {
  const [user] = await services.db.query<{ password_hash: string | null }>(
    'select password_hash from app_user where id = $1',
    [userId],
  )
  if (user?.password_hash === null) return password === '' ? { passwordHash: null } : undefined
  const stored = user?.password_hash ?? (await decoyHash())
  const matches = await verifyPassword(stored, password)
  if (!matches || user === undefined) return undefined
  await forget(services, attemptsOf(userId))
  return { passwordHash: user.password_hash }
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
