import type { Spending } from '#lib/api/spending.ts'
import { microUsdToUsd, usdToMicroUsd } from '#lib/rules/money.ts'
import { monthOf } from '#lib/rules/spending.ts'
import { limitsSetBy, spentInMonth } from './calls/caps.ts'
import { lockLiveCalls, raiseLimits, tellRaisedLimitsOf } from './calls/limits.ts'
import type { Services } from './context.ts'
import { lockUser } from './users.ts'

export async function findSpending({ db, clock }: Services, userId: string): Promise<Spending> {
  const { perCall, perMonth, locked } = await limitsSetBy(db, userId)
  const { charged, held } = await spentInMonth(db, userId, clock.now())
  return {
    perCall: perCall === null ? null : microUsdToUsd(perCall),
    perMonth: perMonth === null ? null : microUsdToUsd(perMonth),
    spentThisMonth: microUsdToUsd(charged),
    leftThisMonth: perMonth === null ? null : microUsdToUsd(Math.max(0, perMonth - held)),
    monthEndsAt: monthOf(clock.now()).to.toISOString(),
    locked: [...locked],
  }
}

/**
 * Sets a user's caps, in USD. Calls that go on are lengthened where they may cost more now, and never shortened: what was
 * promised at the start of a call stays.
 */
export async function changeCaps(
  services: Services,
  userId: string,
  { perCall, perMonth }: { readonly perCall: number | null; readonly perMonth: number | null },
): Promise<void> {
  const microUsd = (usd: number | null) => (usd === null ? null : usdToMicroUsd(usd))
  await services.db.transaction(async tx => {
    const user = await lockUser(tx, userId)
    if (user?.deleted_at !== null) return
    await lockLiveCalls(tx, userId)
    await tx.query(
      `insert into spending_limit (user_id, per_call, per_month, changed_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update set per_call = excluded.per_call, per_month = excluded.per_month,
         changed_at = excluded.changed_at`,
      [userId, microUsd(perCall), microUsd(perMonth), services.clock.now()],
    )
    await raiseLimits(tx, services, userId)
  })
  await tellRaisedLimitsOf(services, userId)
}

/** Locks these countries, and no others, by their upper-case ISO codes. Calls that go on are left alone. */
export async function lockCountries(
  services: Services,
  userId: string,
  isoCodes: readonly string[],
): Promise<void> {
  await services.db.transaction(async tx => {
    const user = await lockUser(tx, userId)
    if (user?.deleted_at !== null) return
    await tx.query(
      `insert into spending_limit (user_id, locked, changed_at) values ($1, $2::text[], $3)
       on conflict (user_id) do update set locked = excluded.locked, changed_at = excluded.changed_at`,
      [userId, [...new Set(isoCodes)].sort(), services.clock.now()],
    )
  })
}
