import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { refundableUntil } from '#lib/money/refunds.ts'
import type { Db } from '../db/port.ts'
import { enqueue } from '../jobs/queue.ts'
import { awaitsReview, isUncontested, keptOf } from '../ledger/kept.ts'
import { maskEmail } from './referral-rules.ts'
import { mail } from './referral-texts.ts'

export type ReferralRejection =
  | 'own_card'
  | 'own_device'
  | 'own_mailbox'
  | 'card_used'
  | 'mailbox_used'
  | 'monthly_cap'
  | 'referee_gone'

/** The first link stays. Not for users who have paid before or who deleted an account. The user must be locked. */
export async function attribute(
  tx: Db,
  { userId, code, at }: { readonly userId: string; readonly code: string; readonly at: Date },
): Promise<void> {
  await tx.query(
    `insert into referral (referee_id, referrer_id, joined_at)
     select $1, id, $3 from app_user where referral_code = lower($2) and id <> $1
       and not exists (select 1 from payment where user_id = $1 and state = 'paid')
       and not exists (select 1 from app_user referee where referee.id = $1 and came_back)
     on conflict do nothing`,
    [userId, code, at],
  )
}

/** As `attribute`, with the code of a checkout that is now paid, if it is its buyer's first. */
export async function attributePayment(tx: Db, paymentId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into referral (referee_id, referrer_id, joined_at)
     select payment.user_id, owner.id, $2
     from payment join app_user owner on owner.referral_code = lower(payment.referral_code)
     where payment.id = $1 and owner.id <> payment.user_id
       and not exists (select 1 from payment earlier
         where earlier.user_id = payment.user_id and earlier.state = 'paid' and earlier.id <> payment.id)
       and not exists (select 1 from app_user referee where referee.id = payment.user_id and came_back)
     on conflict do nothing`,
    [paymentId, at],
  )
}

interface FinalPayment {
  readonly id: string
  readonly user_id: string
  readonly paid_at: Date | null
}

/**
 * Queues the reward decision for the end of the refund window. Call in the transaction that makes a payment final: when
 * it is paid, released after review, or no longer disputed.
 */
export async function scheduleReward(
  tx: Db,
  { id: paymentId, user_id: refereeId, paid_at: paidAt }: FinalPayment,
  at: Date,
): Promise<void> {
  if (paidAt === null) return
  const undecided = await tx.query('select 1 from referral where referee_id = $1 and payment_id is null', [
    refereeId,
  ])
  if (undecided.length === 0) return
  const windowOver = refundableUntil(paidAt).getTime() + 1
  await enqueue(tx, { kind: 'referral_reward', paymentId }, new Date(Math.max(windowOver, at.getTime())))
}

type Person = Reply<typeof referrals>['people'][number]

export interface RefereeRow {
  readonly email: string
  readonly gone: boolean
  readonly joined_at: Date
  readonly decided: boolean
  readonly rejection: ReferralRejection | null
  /** Micro-dollars that the referrer has received. */
  readonly given: number
  /** Of large enough payments: when the first that stands was paid; next, whether one is in review, or exists. */
  readonly stands_since: Date | null
  readonly in_review: boolean
  readonly paid: boolean
}

export const refereeColumns = `email, deleted_at is not null as gone, joined_at, referral.payment_id is not null as decided,
  refusal as rejection, given, stands_since, coalesce(in_review, false) as in_review, coalesce(paid, false) as paid`

/** Referred users with their payments' state. @param minPaymentMicroUsd min that must remain of a payment */
export const refereeTables = (
  minPaymentMicroUsd: number,
) => `referral join app_user on app_user.id = referee_id
  left join lateral (
    select min(paid_at) filter (where stands and not waits) as stands_since,
      bool_or(stands and waits) as in_review, bool_or(true) as paid
    from (select paid_at, ${keptOf('payment')} >= ${minPaymentMicroUsd} and ${isUncontested('payment')} as stands,
        ${awaitsReview('payment')} as waits
      from payment where user_id = referee_id and kind <> 'gift' and state = 'paid' and amount >= ${minPaymentMicroUsd}) large
  ) earning on referral.payment_id is null`

/** As shown to the referrer: never with the full address. */
export function presentReferee(row: RefereeRow): Person {
  const state = stateOf(row)
  const { stands_since: since } = row
  return {
    email: row.gone ? mail.deletedAccount : maskEmail(row.email),
    joinedAt: row.joined_at.toISOString(),
    state,
    dueAt: state === 'pending' && since !== null ? refundableUntil(since).toISOString() : null,
    earned: microUsdToUsd(row.given),
  }
}

const refused: Readonly<Record<ReferralRejection, Person['state']>> = {
  own_card: 'own',
  own_device: 'own',
  own_mailbox: 'own',
  card_used: 'repeated',
  mailbox_used: 'repeated',
  monthly_cap: 'over_cap',
  referee_gone: 'gone',
}

function stateOf({
  decided,
  rejection,
  given,
  gone,
  stands_since,
  in_review,
  paid,
}: RefereeRow): Person['state'] {
  if (rejection !== null) return refused[rejection]
  if (given > 0) return 'paid'
  if (decided) return 'returned'
  if (gone) return 'gone'
  if (stands_since !== null) return 'pending'
  if (in_review) return 'in_review'
  return paid ? 'returned' : 'joined'
}
