import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../db/port.ts'
import { hashPassword } from '../identity/passwords.ts'
import { endAllSessions } from '../identity/refresh-token.ts'
import { hashOf } from '../identity/stored-hash.ts'
import { alreadyRegisteredLetter } from '../mail/letters.ts'
import { confirmAddress, newestChosen, queueConfirmation } from './confirmation.ts'
import type { Services } from './context.ts'
import { voidLinks } from './mailed-links.ts'
import { queueResetLink } from './password-reset.ts'
import { queueLetter } from './queue-letter.ts'
import { takeBackByMail } from './take-back.ts'

interface Account {
  readonly id: string
  readonly email: string
  readonly password_hash: string | null
  readonly email_verified_at: Date | null
}

interface ConfirmationRow {
  readonly password_hash: string | null
  readonly referral_code: string | null
}

/**
 * Opens an account, or does nothing but write a mail when the address has one. Never says which: the
 * answer and the work are the same. `email` is trimmed and lower-cased.
 */
export async function register(
  services: Services,
  {
    email,
    password,
    referralId,
  }: { email: string; password: string; referralId?: string | null | undefined },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await services.db.transaction(async tx => {
    const account = await openOrLock(tx, services, email, passwordHash)
    if (account.email_verified_at !== null) {
      // The work that opening an account is, so that the time tells nothing (reliability row 43).
      await queueConfirmation(tx, services, { email, userId: null, passwordHash, referralCode: null })
      const key = services.random.uuid()
      const letter = alreadyRegisteredLetter(services.publicUrl)
      await queueLetter(tx, key, email, letter, services.clock.now())
    } else {
      const chosen = { passwordHash, referralCode: referralId ?? null }
      await queueConfirmation(tx, services, { email, userId: account.id, ...chosen })
    }
  })
}

/**
 * Sends the confirmation mail again where an account still needs it; the same work and no mail otherwise. Where the address
 * was registered with more than one password, whoever asks need not be the last who chose one: the link that goes out
 * then has its reader choose, which confirms the address too.
 */
export async function resendVerification(services: Services, email: string): Promise<void> {
  await services.db.transaction(async tx => {
    const account = await lockAccount(tx, email)
    const waiting = account?.email_verified_at === null ? account : undefined
    const userId = waiting?.id ?? null
    const passwordHash = waiting?.password_hash ?? null
    const chosen = (await newestChosen(tx, userId, passwordHash)) ?? { passwordHash, referralCode: null }
    if (chosen === 'disputed') return queueResetLink(tx, services, { email, userId, why: 'disputed' })
    return queueConfirmation(tx, services, { email, userId, ...chosen })
  })
}

/**
 * Confirms the address that a mailed token was sent to. The password chosen together with that mail
 * becomes the account's, and the link that brought whoever chose it counts, so that whoever registered a stranger's
 * address first gains nothing by it: what they saved goes, their sessions end, and so do the links that they had mailed.
 */
export async function verifyEmail(
  services: Services,
  token: string,
): Promise<Result<undefined, 'link_expired'>> {
  const at = services.clock.now()
  const hash = hashOf(services.keys.stored, token)
  return services.db.transaction(async tx => {
    // The user before any confirmation: two links of one user opened at once would wait for each other.
    const [user] = await tx.query<Account>(
      `select id, email, password_hash, email_verified_at from app_user
       where id = (select user_id from email_confirmation where hash = $1) for update`,
      [hash],
    )
    const [confirmation] = await tx.query<ConfirmationRow>(
      `update email_confirmation set used_at = $2
       where hash = $1 and used_at is null and expires_at > $2 returning password_hash, referral_code`,
      [hash, at],
    )
    if (user === undefined || confirmation === undefined) return failure('link_expired')
    const userId = user.id
    const { password_hash: passwordHash, referral_code: code } = confirmation
    if (passwordHash !== null && passwordHash !== user.password_hash) {
      if (user.email_verified_at === null) await takeBackByMail(tx, services, user, at)
      await tx.query('update app_user set password_hash = $2 where id = $1', [userId, passwordHash])
      await endAllSessions(tx, userId, at)
      await voidLinks(tx, userId, at)
    }
    await confirmAddress(tx, services, { userId, code, at })
    await tx.query('update email_confirmation set used_at = $2 where user_id = $1 and used_at is null', [
      userId,
      at,
    ])
    return success(undefined)
  })
}

/**
 * The account of an address, new or locked. Locked, it keeps that address: a confirmation for one that it had before would
 * give it to that address's owner.
 */
async function openOrLock(tx: Db, services: Services, email: string, passwordHash: string): Promise<Account> {
  // Another turn where the account that was there took another address meanwhile.
  for (let turn = 0; turn < 3; turn += 1) {
    const account = (await createUser(tx, services, email, passwordHash)) ?? (await lockAccount(tx, email))
    if (account !== undefined) return account
  }
  throw new Error('an account was neither created nor found')
}

/**
 * A new user with a balance of nothing, unless the address has an account.
 * @param passwordHash null: one who signs in without
 */
export async function createUser(
  tx: Db,
  services: Services,
  email: string,
  passwordHash: string | null,
): Promise<Account | undefined> {
  const [user] = await tx.query<Account>(
    `insert into app_user (id, email, password_hash, created_at) values ($1, $2, $3, $4)
     on conflict (email) do nothing returning id, email, password_hash, email_verified_at`,
    [services.random.uuid(), email, passwordHash, services.clock.now()],
  )
  if (user !== undefined) {
    await tx.query(`insert into account (kind, user_id) values ('customer', $1)`, [user.id])
  }
  return user
}

async function lockAccount(tx: Db, email: string): Promise<Account | undefined> {
  const [account] = await tx.query<Account>(
    'select id, email, password_hash, email_verified_at from app_user where email = $1 for update',
    [email],
  )
  return account
}
