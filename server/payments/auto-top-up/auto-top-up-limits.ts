import { dayMs, hourMs } from '#lib/time.ts'
import type { AutoTopUpRate } from '../../config/policy.ts'
import type { Db } from '../../db/port.ts'

/** `failed_lately`: too soon after a failure. The others: the max number of charges is reached. */
export type AutoTopUpLimit = 'per_hour' | 'per_day' | 'failed_lately'

export interface AutoTopUpHistory {
  readonly at: Date
  /** Charges in the last hour and the last 24 hours, without rejected ones. One given up counts, since it may have been made. */
  readonly lastHour: number
  readonly lastDay: number
  /** When the last charge failed; null if a payment or a change of the setting followed. */
  readonly failedAt: Date | null
}

/** @returns why the card may not be charged now; undefined if it may */
export function autoTopUpLimit(
  rate: AutoTopUpRate,
  { at, failedAt, lastHour, lastDay }: AutoTopUpHistory,
): AutoTopUpLimit | undefined {
  if (failedAt !== null && at.getTime() - failedAt.getTime() < hourMs) return 'failed_lately'
  if (lastDay >= rate.perDay) return 'per_day'
  return lastHour >= rate.perHour ? 'per_hour' : undefined
}

/** @param failures consecutive failures, as counted in `app_user` */
export async function readAutoTopUpHistory(
  tx: Db,
  userId: string,
  failures: number,
  at: Date,
): Promise<AutoTopUpHistory> {
  const [row] = await tx.query<{ hour: number; day: number; failed_at: Date | null }>(
    `select (count(*) filter (where state <> 'failed' and created_at > $2))::int as hour,
       (count(*) filter (where state <> 'failed' and created_at > $3))::int as day,
       max(created_at) filter (where state = 'failed') as failed_at
     from payment where user_id = $1 and kind = 'auto_topup'`,
    [userId, new Date(at.getTime() - hourMs), new Date(at.getTime() - dayMs)],
  )
  if (row === undefined) throw new Error('an aggregate gave no row')
  return { at, lastHour: row.hour, lastDay: row.day, failedAt: failures > 0 ? row.failed_at : null }
}
