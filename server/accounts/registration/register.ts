import { currentLanguage } from '#lib/i18n/language.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { voidLinks } from '../../identity/mailed-links.ts'
import { hashPassword } from '../../identity/passwords.ts'
import { endAllSessions } from '../../identity/refresh-token.ts'
import { hashOf } from '../../identity/stored-hash.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { queueResetLink } from '../password/password-reset.ts'
import { confirmAddress, newestChosen, queueConfirmation } from './confirmation.ts'
import { reclaimAccountByMail } from './reclaim-account.ts'
import { alreadyRegisteredEmail } from './registration-emails.ts'

interface Account {
  readonly id: string
  readonly email: string
  readonly password_hash: string | null
  readonly email_verified_at: Date | null
}

/** Opens an account, with the same answer and work if the address has one. `email` is trimmed and lower-cased. */
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
      // Same work as opening an account, so that timing reveals nothing (REL-43).
      await queueConfirmation(tx, services, { email, userId: null, passwordHash, referralCode: null })
      const key = services.random.uuid()
      const template = alreadyRegisteredEmail(services.publicUrl)
      await queueEmail(tx, key, email, template, services.clock.now())
    } else {
      const chosen = { passwordHash, referralCode: referralId ?? null }
      await queueConfirmation(tx, services, { email, userId: account.id, ...chosen })
    }
  })
}

/**
 * Resends the confirmation, or does the same work if none is needed. If several passwords were chosen, the link asks
 * its reader to choose one, because the requester may not be the last registrant.
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
 * Confirms an address; the password and referral of this e-mail take effect. An earlier registrant's data, sessions and
 * links end, so registering a stranger's address first gains nothing.
 */
export async function verifyEmail(
  services: Services,
  token: string,
): Promise<Result<undefined, 'link_expired'>> {
  const at = services.clock.now()
  const hash = hashOf(services.keys.stored, token)
  return services.db.transaction(async tx => {
    // Locks the user before any confirmation: two links of one user, opened at once, would deadlock.
    const [user] = await tx.query<Account>(
      `select id, email, password_hash, email_verified_at from app_user
       where id = (select user_id from email_confirmation where hash = $1) for update`,
      [hash],
    )
    const [confirmation] = await tx.query<{ password_hash: string | null; referral_code: string | null }>(
      `update email_confirmation set used_at = $2
       where hash = $1 and used_at is null and expires_at > $2 returning password_hash, referral_code`,
      [hash, at],
    )
    if (user === undefined || confirmation === undefined) return failure('link_expired')
    const userId = user.id
    const { password_hash: passwordHash, referral_code: code } = confirmation
    if (passwordHash !== null && passwordHash !== user.password_hash) {
      if (user.email_verified_at === null) await reclaimAccountByMail(tx, services, user, at)
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

/** Creates or locks an account, so that its address cannot change before the confirmation is queued. */
async function openOrLock(tx: Db, services: Services, email: string, passwordHash: string): Promise<Account> {
  // Retry: an existing account may have changed its address meanwhile.
  for (let turn = 0; turn < 3; turn += 1) {
    const account = (await createUser(tx, services, email, passwordHash)) ?? (await lockAccount(tx, email))
    if (account !== undefined) return account
  }
  throw new Error('an account was neither created nor found')
}

/** @param passwordHash null: signs in without a password @returns undefined if the address has an account */
export async function createUser(
  tx: Db,
  services: Services,
  email: string,
  passwordHash: string | null,
): Promise<Account | undefined> {
  const [user] = await tx.query<Account>(
    `insert into app_user (id, email, password_hash, created_at, language) values ($1, $2, $3, $4, $5)
     on conflict (email) do nothing returning id, email, password_hash, email_verified_at`,
    [services.random.uuid(), email, passwordHash, services.clock.now(), currentLanguage()],
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
