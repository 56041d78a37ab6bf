import type { Spending } from '#lib/api/spending.ts'
import { microUsdToUsd, usdToMicroUsd } from '#lib/money/money.ts'
import { monthOf } from '#lib/money/spending.ts'
import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { lockUser } from '../../identity/users.ts'
import { limitsSetBy, spentInMonth } from '../../spending/caps.ts'
import { lockLiveCalls, raiseLimits, sendRaisedLimitsOf } from '../../spending/duration-limits.ts'
import { trustOf } from '../../spending/trust-tier.ts'
import { type CallRow, callColumns, presentCallEvent } from '../rows.ts'

export async function findSpending(services: Services, userId: string): Promise<Spending> {
  const { db, clock } = services
  const { perCall, perMonth, locked } = await limitsSetBy(db, userId)
  const { charged, held } = await spentInMonth(db, userId, clock.now())
  return {
    perCall: perCall === null ? null : microUsdToUsd(perCall),
    perMonth: perMonth === null ? null : microUsdToUsd(perMonth),
    spentThisMonth: microUsdToUsd(charged),
    leftThisMonth: perMonth === null ? null : microUsdToUsd(Math.max(0, perMonth - held)),
    monthEndsAt: monthOf(clock.now()).to.toISOString(),
    newAccount: await newAccountTerms(services, userId),
    locked: [...locked],
  }
}

/** The limit on the length of a new account's calls; null for an established one. */
async function newAccountTerms(services: Services, userId: string): Promise<Spending['newAccount']> {
  const { db, policy } = services
  const { tier, paidMicroUsd, paidSince } = await trustOf(db, services, userId)
  if (tier === 'established') return null
  const { afterDays, paidMicroUsd: enough } = policy.established
  const missing = Math.max(0, enough - paidMicroUsd)
  const endsAt = missing > 0 || paidSince === null ? null : new Date(paidSince.getTime() + afterDays * dayMs)
  return {
    maxCallMinutes: policy.tiers[tier].longestCallMinutes,
    endsAt: endsAt?.toISOString() ?? null,
    payUsd: microUsdToUsd(missing),
    days: afterDays,
  }
}

/** Changed caps in USD; null: no cap. Omitted: unchanged, as another page may have set it. */
export interface CapChanges {
  readonly perCall?: number | null | undefined
  readonly perMonth?: number | null | undefined
}

/** Sets caps. Running calls may be extended but never shortened: what was promised at their start stands. */
export async function changeCaps(
  services: Services,
  userId: string,
  { perCall, perMonth }: CapChanges,
): Promise<void> {
  const microUsd = (usd: number | null | undefined) => (usd == null ? null : usdToMicroUsd(usd))
  await services.db.transaction(async tx => {
    const user = await lockUser(tx, userId)
    if (user?.deleted_at !== null) return
    await lockLiveCalls(tx, userId)
    await tx.query(
      `insert into spending_limit (user_id, per_call, per_month, changed_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update set changed_at = excluded.changed_at,
         per_call = case when $5::boolean then excluded.per_call else spending_limit.per_call end,
         per_month = case when $6::boolean then excluded.per_month else spending_limit.per_month end`,
      [
        userId,
        microUsd(perCall),
        microUsd(perMonth),
        services.clock.now(),
        perCall !== undefined,
        perMonth !== undefined,
      ],
    )
    await raiseLimits(tx, services, userId)
  })
  await sendRaisedLimitsOf(services, userId)
  await publishCallLimits(services, userId)
}

/** Makes a user's pages refetch how long their answered calls may last, for changes that no other event covers. */
async function publishCallLimits({ db, notifier }: Services, userId: string): Promise<void> {
  const rows = await db.query<CallRow>(
    `select ${callColumns} from call where user_id = $1 and state = 'answered' and not free`,
    [userId],
  )
  for (const row of rows) notifier.call(userId, presentCallEvent(row))
}

/** Takes upper-case ISO codes; a country in both lists is unlocked. Running calls are unaffected. */
export async function lockCountries(
  services: Services,
  userId: string,
  { lock, unlock }: { readonly lock: readonly string[]; readonly unlock: readonly string[] },
): Promise<void> {
  await services.db.transaction(async tx => {
    const user = await lockUser(tx, userId)
    if (user?.deleted_at !== null) return
    const locked = new Set([...(await limitsSetBy(tx, userId)).locked, ...lock])
    for (const isoCode of unlock) locked.delete(isoCode)
    await tx.query(
      `insert into spending_limit (user_id, locked, changed_at) values ($1, $2::text[], $3)
       on conflict (user_id) do update set locked = excluded.locked, changed_at = excluded.changed_at`,
      [userId, [...locked].sort(), services.clock.now()],
    )
  })
}
