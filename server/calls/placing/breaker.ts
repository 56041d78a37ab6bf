import { formatCharge } from '#lib/money/money.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { Destination } from './destination.ts'

export function isWatched({ policy }: Services, { rateMicroUsd }: Destination): boolean {
  return rateMicroUsd >= policy.breaker.fromRateMicroUsd
}

/**
 * Whether calls to this prefix are paused. This call counts: the breaker opens when enough accounts called the prefix,
 * or verified a number there, in the window. Calls to one prefix are serialised here, so that none is missed.
 * @returns when the pause ends; undefined without one
 */
export async function pauseOf(
  tx: Db,
  services: Services,
  userId: string,
  destination: Destination,
): Promise<Date | undefined> {
  if (!isWatched(services, destination)) return undefined
  const { breaker } = services.policy
  const { prefix } = destination
  const now = services.clock.now()
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('prefix ' || $1::text, 0))`, [prefix])
  const [open] = await tx.query<{ ends_at: Date }>(
    'select ends_at from prefix_pause where prefix = $1 and ends_at > $2',
    [prefix, now],
  )
  if (open !== undefined) return open.ends_at
  const [row] = await tx.query<{ others: number }>(
    `select count(distinct user_id)::int as others from (
       select user_id, placed_at as at from call where dear_prefix = $1 and placed_at > $2
       union all
       select user_id, asked_at from verification_call
       where dear_prefix = $1 and asked_at > $2 and outcome is distinct from 'not_called') rung
     where user_id <> $3 and at >= coalesce((select ends_at from prefix_pause where prefix = $1), '-infinity')`,
    [prefix, new Date(now.getTime() - breaker.windowSeconds * 1000), userId],
  )
  const accounts = (row?.others ?? 0) + 1
  if (accounts < breaker.accounts) return undefined
  const endsAt = new Date(now.getTime() + breaker.pauseSeconds * 1000)
  await tx.query(
    `insert into prefix_pause (prefix, opened_at, ends_at) values ($1, $2, $3)
     on conflict (prefix) do update set opened_at = excluded.opened_at, ends_at = excluded.ends_at`,
    [prefix, now, endsAt],
  )
  services.log.error(
    { prefix: `+${prefix}`, rate: formatCharge(destination.rateMicroUsd), accounts, endsAt },
    'calls to an expensive prefix are paused: many accounts called it at once',
  )
  return endsAt
}
