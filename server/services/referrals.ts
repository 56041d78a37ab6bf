import type { Reply } from '#lib/api/endpoint.ts'
import type { ReferralState, referrals } from '#lib/api/referrals.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'
import { maskEmail, referralCodeOf } from '#lib/rules/referrals.ts'
import type { Services } from './context.ts'

/** So many people are listed, the newest; all are counted. */
const listed = 100

/** Somebody who came by a link. */
export interface RefereeRow {
  readonly email: string
  /** Their account was deleted. */
  readonly gone: boolean
  readonly joined_at: Date
  readonly judged: boolean
  readonly refusal: string | null
  /** Micro-dollars that the referrer has of it. */
  readonly given: number
}

export const refereeColumns = `email, deleted_at is not null as gone, joined_at, payment_id is not null as judged, refusal, given`

interface Totals {
  readonly joined: number
  readonly paid: number
  readonly earned: number
}

/** A user's link, made when it is first asked for, and what has come of it. */
export async function showReferrals(
  services: Services,
  userId: string,
): Promise<Reply<typeof referrals> | undefined> {
  const code = await ownCode(services, userId)
  if (code === undefined) return undefined
  const { db, publicUrl, paymentPolicy } = services
  const people = await db.query<RefereeRow>(
    `select ${refereeColumns}
     from referral join app_user on app_user.id = referee_id
     where referrer_id = $1 order by joined_at desc, referee_id limit ${listed}`,
    [userId],
  )
  const [totals] = await db.query<Totals>(
    `select count(*)::int as joined, count(*) filter (where given > 0)::int as paid,
       coalesce(sum(given), 0)::bigint as earned from referral where referrer_id = $1`,
    [userId],
  )
  return {
    link: `${publicUrl}/?ref=${code}`,
    reward: microUsdToUsd(paymentPolicy.referral.rewardMicroUsd),
    leastPayment: microUsdToUsd(paymentPolicy.referral.leastMicroUsd),
    joined: totals?.joined ?? 0,
    paid: totals?.paid ?? 0,
    earned: microUsdToUsd(totals?.earned ?? 0),
    people: people.map(presentReferee),
  }
}

/** As the referrer may see them: never their address. */
export function presentReferee(row: RefereeRow): Reply<typeof referrals>['people'][number] {
  return {
    email: row.gone ? 'Deleted account' : maskEmail(row.email),
    joinedAt: row.joined_at.toISOString(),
    state: stateOf(row),
    earned: microUsdToUsd(row.given),
  }
}

function stateOf({ judged, refusal, given }: RefereeRow): ReferralState {
  if (refusal !== null) return 'own'
  if (given > 0) return 'paid'
  return judged ? 'returned' : 'joined'
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
