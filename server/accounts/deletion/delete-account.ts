import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { findUser, lockUser, type UserRow } from '../../identity/users.ts'
import { enqueue, nobody } from '../../jobs/queue.ts'
import { queueNotice } from '../../mail/queue-email.ts'
import {
  closeCheckouts,
  mailWaitingEnvelopes,
  type UnredeemedGift,
  unredeemedGifts,
} from '../../payments/payments.ts'
import { countLiveCalls } from '../../spending/live-calls.ts'
import {
  type AskedFrom,
  type Known,
  knowsPassword,
  lockKnown,
  type WrongPassword,
  wrongPassword,
} from '../password/current-password.ts'
import { accountDeletedEmail } from './account-deleted-email.ts'
import { eraseBelongings } from './erase.ts'
import { formerAddressOf } from './former-address.ts'
import { giveUpBalance } from './give-up.ts'
import { findHeldCredits } from './held-credits.ts'

export type DeletionRejection =
  | 'wrong_confirmation'
  | 'call_in_progress'
  | 'payment_in_progress'
  | 'refund_in_progress'
  | 'booklet_in_review'

export interface Deletion {
  /** The account's own e-mail address, as typed by its owner. */
  readonly confirm: string
  /** Empty where the account has none. */
  readonly password: string
}

/** Idempotent. An anonymous row stays for the ledger (ADR-29). Calls go later: the breaker still counts some. */
export async function deleteAccount(
  services: Services,
  userId: string,
  { confirm, password }: Deletion,
  from: AskedFrom,
): Promise<Result<undefined, DeletionRejection> | WrongPassword> {
  // Already deleted: a second press, or a retry after a lost answer.
  if ((await findUser(services.db, userId)) === undefined) return success(undefined)
  const shown = await knowsPassword(services, userId, password, from)
  if (!shown.ok) return shown
  const attempt = { userId, known: shown.value, confirm }
  const first = await services.db.transaction(tx => tryToDelete(tx, services, attempt))
  if (first.ok || first.code !== 'payment_in_progress') return first
  await closeCheckouts(services, userId)
  return services.db.transaction(tx => tryToDelete(tx, services, attempt))
}

async function tryToDelete(
  tx: Db,
  services: Services,
  { userId, known, confirm }: { readonly userId: string; readonly known: Known; readonly confirm: string },
): Promise<Result<undefined, DeletionRejection> | WrongPassword> {
  const user = await lockUser(tx, userId)
  if (user === undefined || user.deleted_at !== null) return success(undefined)
  if ((await lockKnown(tx, userId, known)) === undefined) return wrongPassword()
  if (confirm.trim().toLowerCase() !== user.email) return failure('wrong_confirmation')
  if ((await countLiveCalls(tx, userId)) > 0) return failure('call_in_progress')
  const open = await tx.query(`select 1 from payment where user_id = $1 and state = 'open' limit 1`, [userId])
  if (open.length > 0) return failure('payment_in_progress')
  // The refund's credits have left the balance, and return if it fails.
  const refunds = await tx.query(
    `select 1 from refund join payment on payment.id = payment_id
     where user_id = $1 and requested_by = 'user' and refund.state = 'pending' limit 1`,
    [userId],
  )
  if (refunds.length > 0) return failure('refund_in_progress')
  const booklets = await unredeemedGifts(tx, userId)
  // Nobody has its code yet, and the deletion erases our copy.
  if (booklets.some(({ state }) => state === 'in_review')) return failure('booklet_in_review')
  await mailWaitingEnvelopes(tx, services, userId)
  await removeUser(tx, services, user, booklets)
  return success(undefined)
}

async function removeUser(
  tx: Db,
  services: Services,
  user: UserRow,
  booklets: readonly UnredeemedGift[],
): Promise<void> {
  const at = services.clock.now()
  const card = await eraseBelongings(tx, user.id, at)
  if (card !== undefined) await enqueue(tx, { kind: 'forget_card', card }, at)
  const held = await findHeldCredits(tx, user.id)
  const givenUp = await giveUpBalance(tx, user.id, at)
  const template = () => accountDeletedEmail(givenUp, held, booklets)
  // Before the row loses its address.
  const { id: userId, email: to } = user
  await queueNotice(tx, services, { kind: 'account-deleted', userId, to, name: userId, template })
  await tx.query(
    `update app_user set deleted_at = $2, email = 'deleted-' || id || $4::text, former_address = $3,
       password_hash = null, email_verified_at = null, name = null, heard_about = null, heard_about_detail = null,
       heard_about_at = null, referral_code = null, can_call = false, auto_topup_enabled = false,
       has_saved_payment_method = false, auto_topup_failures = 0, auto_topup_trouble = null,
       auto_topup_limit_told_at = null
     where id = $1`,
    [user.id, at, formerAddressOf(services, user.email), nobody],
  )
}
