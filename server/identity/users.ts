import type { User } from '#lib/api/me.ts'
import { currentLanguage, sourceLanguage } from '#lib/i18n/language.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Db } from '../db/port.ts'
import { inLanguage } from '../languages/languages.ts'
import { blockReasonText } from './block-reason.ts'
import { storedTopUpNotice } from './top-up-trouble.ts'

export interface UserRow {
  readonly id: string
  readonly email: string
  /** Null if the user has not given a name. */
  readonly name: string | null
  readonly email_verified_at: Date | null
  readonly can_call: boolean
  /** Shown to the user. */
  readonly blocked_reason: string | null
  readonly auto_topup_enabled: boolean
  /** Consecutive failed charges of the saved card. */
  readonly auto_topup_failures: number
  /** Reason of the last failure, shown to the user. */
  readonly auto_topup_trouble: string | null
  readonly has_saved_payment_method: boolean
  readonly hide: boolean
  readonly has_submitted_feedback: boolean
  readonly has_made_call: boolean
  readonly free_call: 'available' | 'reserved' | 'used'
  /** BCP 47 tag of the page that the user read last. */
  readonly language: string
  /** Null: not deleted. A deleted account stays only for the ledger. */
  readonly deleted_at: Date | null
  readonly account_id: number
  /** Micro-dollars. */
  readonly balance: number
}

const columns = `app_user.id, email, app_user.name, email_verified_at, can_call, blocked_reason, auto_topup_enabled,
  auto_topup_failures, auto_topup_trouble, has_saved_payment_method, hide, has_submitted_feedback, has_made_call, free_call, language, deleted_at, account.id as account_id, balance
  from app_user join account on account.user_id = app_user.id`

/** A user whose account is not deleted. */
export async function findUser(db: Db, userId: string): Promise<UserRow | undefined> {
  const user = await readUser(db, userId)
  return user?.deleted_at === null ? user : undefined
}

async function readUser(db: Db, userId: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(`select ${columns} where app_user.id = $1`, [userId])
  return row
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(
    `select ${columns} where app_user.email = $1 and deleted_at is null`,
    [email.trim().toLowerCase()],
  )
  return row
}

/**
 * While locked, nobody else places, answers or settles the user's calls. Includes deleted accounts, whose payments may
 * still be refunded or disputed.
 */
export async function lockUser(tx: Db, userId: string): Promise<UserRow | undefined> {
  // Two statements: one that waits for a lock would return the row as it was before. `no key`, so that rows that refer
  // to this user can be written meanwhile, such as a referral reward, which locks the referrer and not the referee.
  await tx.query('select id from app_user where id = $1 for no key update', [userId])
  return readUser(tx, userId)
}

/** Call in a request of a page of the user's: its language becomes the account's. */
export async function rememberLanguage(db: Db, { id, language }: UserRow): Promise<void> {
  const read = currentLanguage()
  if (read !== language) await db.query('update app_user set language = $2 where id = $1', [id, read])
}

/** Does what happens without a page in the language of the account. */
export async function inLanguageOf<Result>(
  db: Db,
  userId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const [user] = await db.query<{ language: string }>('select language from app_user where id = $1', [userId])
  return inLanguage(user?.language ?? sourceLanguage, work)
}

/** SPEC-3.4. */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    email_verified: row.email_verified_at !== null,
    credits: microUsdToUsd(row.balance),
    has_used_free_call: row.free_call === 'used',
    auto_topup_enabled: row.auto_topup_enabled,
    auto_topup_trouble: row.auto_topup_trouble && storedTopUpNotice(row.auto_topup_trouble),
    can_call: row.can_call,
    blocked_reason: row.can_call || row.blocked_reason === null ? null : blockReasonText(row.blocked_reason),
    hide: row.hide,
    has_submitted_feedback: row.has_submitted_feedback,
    has_made_call: row.has_made_call,
    hasSavedPaymentMethod: row.has_saved_payment_method,
  }
}
