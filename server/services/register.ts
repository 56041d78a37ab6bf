import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../db/port.ts'
import { hashPassword } from '../identity/passwords.ts'
import { endAllSessions, hashOf } from '../identity/refresh-token.ts'
import { enqueue } from '../jobs/queue.ts'
import { type Letter, letterHtml, letterText } from '../mail/layout.ts'
import { alreadyRegisteredLetter, confirmEmailLetter } from '../mail/letters.ts'
import type { Services } from './context.ts'
import { attribute } from './referral-attribution.ts'

/** reliability.md 'Sign-in': a confirmation link works for 24 hours. */
const confirmationMs = 24 * 3600 * 1000

interface Account {
  readonly id: string
  readonly password_hash: string
  readonly email_verified_at: Date | null
}

interface ConfirmationRow {
  readonly user_id: string
  readonly password_hash: string
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
    const created = await createUser(tx, services, email, passwordHash)
    const account = created ?? (await findAccount(tx, email))
    if (account === undefined) throw new Error('an account was neither created nor found')
    if (account.email_verified_at !== null) {
      await queueLetter(tx, services, email, alreadyRegisteredLetter(services.publicUrl))
    } else {
      const chosen = { passwordHash, referralCode: referralId ?? null }
      await queueConfirmation(tx, services, { email, userId: account.id, ...chosen })
    }
  })
}

/** Sends the confirmation mail again where an account still needs it; does nothing otherwise. */
export async function resendVerification(services: Services, email: string): Promise<void> {
  await services.db.transaction(async tx => {
    const account = await findAccount(tx, email)
    if (account === undefined || account.email_verified_at !== null) return
    const newest = await newestChosen(tx, account.id)
    const chosen = newest ?? { passwordHash: account.password_hash, referralCode: null }
    await queueConfirmation(tx, services, { email, userId: account.id, ...chosen })
  })
}

/**
 * Confirms the address that a mailed token was sent to. The password chosen together with that mail
 * becomes the account's, and the link that brought whoever chose it counts, so that whoever registered a stranger's
 * address first gains nothing by it.
 */
export async function verifyEmail(
  services: Services,
  token: string,
): Promise<Result<undefined, 'link_expired'>> {
  const now = services.clock.now()
  return services.db.transaction(async tx => {
    // The user before any confirmation: two links of one user opened at once would wait for each other.
    await tx.query(
      'select id from app_user where id = (select user_id from email_confirmation where hash = $1) for update',
      [hashOf(token)],
    )
    const [confirmation] = await tx.query<ConfirmationRow>(
      `update email_confirmation set used_at = $2
       where hash = $1 and used_at is null and expires_at > $2 returning user_id, password_hash, referral_code`,
      [hashOf(token), now],
    )
    if (confirmation === undefined) return failure('link_expired')
    const { user_id: userId, password_hash: passwordHash, referral_code: code } = confirmation
    const [changed] = await tx.query<{ id: string }>(
      'update app_user set password_hash = $2 where id = $1 and password_hash <> $2 returning id',
      [userId, passwordHash],
    )
    if (changed !== undefined) await endAllSessions(tx, userId, now)
    const [confirmed] = await tx.query<{ id: string }>(
      'update app_user set email_verified_at = $2 where id = $1 and email_verified_at is null returning id',
      [userId, now],
    )
    if (confirmed !== undefined && code !== null) await attribute(tx, { userId, code, at: now })
    await tx.query('update email_confirmation set used_at = $2 where user_id = $1 and used_at is null', [
      userId,
      now,
    ])
    return success(undefined)
  })
}

async function createUser(
  tx: Db,
  services: Services,
  email: string,
  passwordHash: string,
): Promise<Account | undefined> {
  const [user] = await tx.query<Account>(
    `insert into app_user (id, email, password_hash, created_at) values ($1, $2, $3, $4)
     on conflict (email) do nothing returning id, password_hash, email_verified_at`,
    [services.random.uuid(), email, passwordHash, services.clock.now()],
  )
  if (user !== undefined) {
    await tx.query(`insert into account (kind, user_id) values ('customer', $1)`, [user.id])
  }
  return user
}

async function findAccount(tx: Db, email: string): Promise<Account | undefined> {
  const [account] = await tx.query<Account>(
    'select id, password_hash, email_verified_at from app_user where email = $1',
    [email],
  )
  return account
}

/** What whoever asked for a confirmation chose or brought with them. */
interface Chosen {
  readonly passwordHash: string
  readonly referralCode: string | null
}

/**
 * What came with the newest confirmation that is still open: what its asker just chose, which need not
 * be the account's, if somebody else had registered the address before.
 */
async function newestChosen(tx: Db, userId: string): Promise<Chosen | undefined> {
  const [newest] = await tx.query<ConfirmationRow>(
    `select user_id, password_hash, referral_code from email_confirmation where user_id = $1 and used_at is null
     order by expires_at desc limit 1`,
    [userId],
  )
  return newest && { passwordHash: newest.password_hash, referralCode: newest.referral_code }
}

async function queueConfirmation(
  tx: Db,
  services: Services,
  { email, userId, passwordHash, referralCode }: Chosen & { email: string; userId: string },
): Promise<void> {
  const token = Buffer.from(services.random.bytes(32)).toString('base64url')
  await tx.query(
    `insert into email_confirmation (hash, user_id, password_hash, referral_code, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [
      hashOf(token),
      userId,
      passwordHash,
      referralCode,
      new Date(services.clock.now().getTime() + confirmationMs),
    ],
  )
  await queueLetter(tx, services, email, confirmEmailLetter(services.publicUrl, token))
}

async function queueLetter(tx: Db, services: Services, to: string, letter: Letter): Promise<void> {
  const mail = {
    key: services.random.uuid(),
    to,
    subject: letter.subject,
    text: letterText(letter),
    html: letterHtml(letter),
  }
  await enqueue(tx, { kind: 'mail', mail }, services.clock.now())
}
