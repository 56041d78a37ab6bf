import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import { localPath } from '#lib/i18n/path.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Services } from '../context.ts'
import { referralCodeOf } from './referral-rules.ts'
import { presentReferee, type RefereeRow, refereeColumns, refereeTables } from './referrals.ts'

/** Max people listed, newest first; all are counted. */
const listed = 100

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
  const [totals] = await db.query<{ joined: number; rewarded: number; earned: number }>(
    `select count(*)::int as joined, count(*) filter (where given > 0)::int as rewarded,
       coalesce(sum(given), 0)::bigint as earned from referral where referrer_id = $1`,
    [userId],
  )
  return {
    link: `${publicUrl}${localPath(`/?ref=${code}`)}`,
    reward: microUsdToUsd(rewardMicroUsd),
    leastPayment: microUsdToUsd(minMicroUsd),
    monthlyMost: microUsdToUsd(monthlyMicroUsd),
    joined: totals?.joined ?? 0,
    paid: totals?.rewarded ?? 0,
    earned: microUsdToUsd(totals?.earned ?? 0),
    people: people.map(presentReferee),
  }
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
