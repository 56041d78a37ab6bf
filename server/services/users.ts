import type { User } from '#lib/api/me.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'
import type { Db } from '../db/port.ts'

export interface UserRow {
  readonly id: string
  readonly email: string
  /** What they are called; null where they have not said. */
  readonly name: string | null
  readonly email_verified_at: Date | null
  readonly can_call: boolean
  /** Why not, in words that the user may read. */
  readonly blocked_reason: string | null
  readonly auto_topup_enabled: boolean
  /** Charges of the kept card that failed in a row. */
  readonly auto_topup_failures: number
  /** Why the last of them failed, in words that the user may read. */
  readonly auto_topup_trouble: string | null
  readonly has_saved_payment_method: boolean
  readonly hide: boolean
  readonly has_submitted_feedback: boolean
  readonly has_made_call: boolean
  readonly free_call: 'available' | 'reserved' | 'used'
  /** When its owner deleted the account, which stays for the ledger alone; null: it lives. */
  readonly deleted_at: Date | null
  readonly account_id: number
  /** Micro-dollars. */
  readonly balance: number
}

/** One by one, as `callColumns` are. */
const columns = `app_user.id, email, app_user.name, email_verified_at, can_call, blocked_reason, auto_topup_enabled,
  auto_topup_failures, auto_topup_trouble, has_saved_payment_method, hide, has_submitted_feedback, has_made_call, free_call, deleted_at, account.id as account_id, balance
  from app_user join account on account.user_id = app_user.id`

/** A user who may use their account: not one who has deleted it. */
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
 * A user, and nobody else places, answers or settles a call of theirs until the transaction ends. One who has deleted the
 * account is found as well (`deleted_at`): what was paid with it may be refunded or disputed still.
 */
export async function lockUser(tx: Db, userId: string): Promise<UserRow | undefined> {
  // A statement of its own: one that had to wait still sees the account as it was before the wait. `no key`: a row that names this
  // user may be written meanwhile. The reward of a referral is, with the referrer locked and not the referee.
  await tx.query('select id from app_user where id = $1 for no key update', [userId])
  return readUser(tx, userId)
}

/** The user as the `me` call shows it (specification section 3). */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    email_verified: row.email_verified_at !== null,
    credits: microUsdToUsd(row.balance),
    has_used_free_call: row.free_call === 'used',
    auto_topup_enabled: row.auto_topup_enabled,
    auto_topup_trouble: row.auto_topup_trouble,
    can_call: row.can_call,
    blocked_reason: row.can_call ? null : row.blocked_reason,
    hide: row.hide,
    has_submitted_feedback: row.has_submitted_feedback,
    has_made_call: row.has_made_call,
    hasSavedPaymentMethod: row.has_saved_payment_method,
  }
}
