import type { Album } from '#lib/api/album.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { countryRate } from '#lib/money/tariff.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { totalCalls } from './history-totals.ts'

interface CalledCountry {
  readonly iso_code: string
  readonly first_answered_at: Date
  readonly last_placed_at: Date
  readonly calls: number
  readonly minutes: number
}

/** The countries a user has reached, and what the calls since `from` come to; by default, since the UTC year began (ADR-64). */
export async function albumOf(
  { db, tariff, clock }: Services,
  userId: string,
  from = `${clock.now().getUTCFullYear()}-01-01T00:00:00.000Z`,
): Promise<Album> {
  const rows = await db.query<CalledCountry>(
    `select iso_code, first_answered_at, last_placed_at, calls, minutes from called_country where user_id = $1
     order by first_answered_at desc, iso_code`,
    [userId],
  )
  const since = new Date(from)
  const totals = await totalCalls(db, userId, { from })
  return {
    countries: rows.map(row => {
      const rate = countryRate(tariff, row.iso_code)
      return {
        isoCode: row.iso_code,
        firstAnsweredAt: row.first_answered_at.toISOString(),
        calls: row.calls,
        minutes: row.minutes,
        ratePerMinute: rate === undefined ? null : microUsdToUsd(rate.ourRateMicroUsd),
      }
    }),
    year: {
      countries: rows.filter(row => row.last_placed_at >= since).length,
      minutes: totals.minutes - (await testMinutes(db, userId, since)),
      spent: totals.spent,
    },
  }
}

/** Test calls cost nothing, and are in the sums of the history. */
async function testMinutes(db: Db, userId: string, since: Date): Promise<number> {
  const [row] = await db.query<{ minutes: number }>(
    `select coalesce(sum(ceil(answered_ms / 60000.0)), 0)::bigint as minutes from call
     where user_id = $1 and purpose = 'test' and state = 'ended' and placed_at >= $2`,
    [userId, since],
  )
  return row?.minutes ?? 0
}
