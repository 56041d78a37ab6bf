import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { refundableUntil } from '#lib/money/refunds.ts'
import type { Services } from '../context.ts'
import { awaitsReview, isUncontested, keptOf } from '../ledger/kept.ts'
import { maskEmail, referralCodeOf } from './referral-rules.ts'
import type { ReferralRefusal } from './reward.ts'

/** Max people listed, newest first; all are counted. */
const listed = 100

type Person = Reply<typeof referrals>['people'][number]

export interface RefereeRow {
  readonly email: string
  readonly gone: boolean
  readonly joined_at: Date
  readonly decided: boolean
  readonly refusal: ReferralRefusal | null
  /** Micro-dollars that the referrer has received. */
  readonly given: number
  /**
   * Of payments that are large enough: when the first that stands was paid; next, whether one is in review, or exists.
   */
  readonly stands_since: Date | null
  readonly in_review: boolean
  readonly paid: boolean
}

export const refereeColumns = `email, deleted_at is not null as gone, joined_at, referral.payment_id is not null as decided,
  refusal, given, stands_since, coalesce(in_review, false) as in_review, coalesce(paid, false) as paid`

/** Referred users with their payments' state. @param minPaymentMicroUsd min that must remain of a payment */
export const refereeTables = (
  minPaymentMicroUsd: number,
) => `referral join app_user on app_user.id = referee_id
  left join lateral (
    select min(paid_at) filter (where stands and not waits) as stands_since,
      bool_or(stands and waits) as in_review, bool_or(true) as paid
    from (select paid_at, ${keptOf('payment')} >= ${minPaymentMicroUsd} and ${isUncontested('payment')} as stands,
        ${awaitsReview('payment')} as waits
      from payment where user_id = referee_id and state = 'paid' and amount >= ${minPaymentMicroUsd}) large
  ) earning on referral.payment_id is null`

interface Totals {
  readonly joined: number
  readonly rewarded: number
  readonly earned: number
}

export async function showReferrals(
  services: Services,
  userId: string,
): Promise<Reply<typeof referrals> | undefined> {
  const code = await ownCode(services, userId)
  if (code === undefined) return undefined
  const { db, publicUrl, paymentPolicy } = services
  const { rewardMicroUsd, minPaymentMicroUsd: minMicroUsd, monthlyMicroUsd } = paymentPolicy.referral
  const people = await db.query<RefereeRow>(
    `select ${refereeColumns} from ${refereeTables(minMicroUsd)}
     where referrer_id = $1 order by joined_at desc, referee_id limit ${listed}`,
    [userId],
  )
  const [totals] = await db.query<Totals>(
    `select count(*)::int as joined, count(*) filter (where given > 0)::int as rewarded,
       coalesce(sum(given), 0)::bigint as earned from referral where referrer_id = $1`,
    [userId],
  )
  return {
    link: `${publicUrl}/?ref=${code}`,
    reward: microUsdToUsd(rewardMicroUsd),
    leastPayment: microUsdToUsd(minMicroUsd),
    monthlyMost: microUsdToUsd(monthlyMicroUsd),
    joined: totals?.joined ?? 0,
    paid: totals?.rewarded ?? 0,
    earned: microUsdToUsd(totals?.earned ?? 0),
    people: people.map(presentReferee),
  }
}

/** As shown to the referrer: never with the full address. */
export function presentReferee(row: RefereeRow): Person {
  const state = stateOf(row)
  const { stands_since: since } = row
  return {
    email: row.gone ? 'Deleted account' : maskEmail(row.email),
    joinedAt: row.joined_at.toISOString(),
    state,
    dueAt: state === 'pending' && since !== null ? refundableUntil(since).toISOString() : null,
    earned: microUsdToUsd(row.given),
  }
}

const refused: Readonly<Record<ReferralRefusal, Person['state']>> = {
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
  refusal,
  given,
  gone,
  stands_since,
  in_review,
  paid,
}: RefereeRow): Person['state'] {
  if (refusal !== null) return refused[refusal]
  if (given > 0) return 'paid'
  if (decided) return 'returned'
  if (gone) return 'gone'
  if (stands_since !== null) return 'pending'
  if (in_review) return 'in_review'
  return paid ? 'returned' : 'joined'
}

async function ownCode({ db, random }: Services, userId: string): Promise<string | undefined> {
  await db.query('update app_user set referral_code = $2 where id = $1 and referral_code is null', [
    userId,
    referralCodeOf(random.bytes(8)),
  ])
  const [row] = await db.query<{ referral_code: string }>(
    'select referral_code from app_user where id = $1',
    [userId],
  )
  return row?.referral_code
}
