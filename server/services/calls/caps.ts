import type { CallBound } from '#lib/api/calls.ts'
import { type CapRoom, type Caps, capRoom, monthOf } from '#lib/rules/spending.ts'
import type { Db } from '../../db/port.ts'

interface Limits extends Caps {
  readonly locked: readonly string[]
}

const noLimits: Limits = { perCall: null, perMonth: null, locked: [] }

/** What a user set, which may be nothing. */
export async function limitsSetBy(db: Db, userId: string): Promise<Limits> {
  const [row] = await db.query<{ per_call: number | null; per_month: number | null; locked: string[] }>(
    'select per_call, per_month, locked from spending_limit where user_id = $1',
    [userId],
  )
  return row === undefined ? noLimits : { perCall: row.per_call, perMonth: row.per_month, locked: row.locked }
}

/** Whether the user has locked calls to a country, by its upper-case ISO code. */
export async function isLocked(db: Db, userId: string, isoCode: string): Promise<boolean> {
  const rows = await db.query('select 1 from spending_limit where user_id = $1 and $2 = any(locked)', [
    userId,
    isoCode,
  ])
  return rows.length > 0
}

/** What the calls of a month come to. Micro-dollars. */
interface MonthSpent {
  /** Charged so far. */
  readonly charged: number
  /** The same, and what live calls may cost yet. */
  readonly held: number
}

/**
 * Reads what a user's calls of the month of `moment` cost: each counts in the month that it was placed in, whole. Read in one
 * statement, since the meter pays without the user's lock. What was credited for a bad call still counts.
 * @param except a call that is not counted
 */
export async function spentInMonth(
  db: Db,
  userId: string,
  moment: Date,
  except: string | null = null,
): Promise<MonthSpent> {
  const { from, to } = monthOf(moment)
  const [row] = await db.query<MonthSpent>(
    `select (ended + paid)::bigint as charged, (ended + held)::bigint as held from
       (select coalesce(sum(cost), 0) as ended from call_sum_by_day
        where user_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date
          and day < ($3::timestamptz at time zone 'UTC')::date) past,
       (select coalesce(sum(rate * minutes), 0) as paid, coalesce(sum(rate * case when state = 'running'
          then greatest(ceil(limit_ms / 60000.0), minutes) else minutes end), 0) as held
        from (select call.rate, limit_ms, coalesce(minutes, 0) as minutes, coalesce(call_meter.state, 'running') as state
          from call left join call_meter on call_id = call.id
          where call.user_id = $1 and call.state <> 'ended' and not free
            and placed_at >= $2::timestamptz and placed_at < $3::timestamptz
            and call.id is distinct from $4::uuid) live) running`,
    [userId, from, to, except],
  )
  if (row === undefined) throw new Error('a sum has one row')
  return row
}

/** What a user's caps leave a call, and the figures that a refusal names. */
export interface SpendingRoom extends CapRoom {
  readonly caps: Caps
  /** Of the month's cap, for this call. Micro-dollars; without end where there is none. */
  readonly leftInMonth: number
  /** The same if no other call went on. */
  readonly uncharged: number
}

/**
 * The time that a user's caps leave a charged call, with the user locked.
 * @param call what it costs a minute, when it was placed, and its id where it goes on
 */
export async function spendingRoom(
  tx: Db,
  userId: string,
  call: { readonly rateMicroUsd: number; readonly placedAt: Date; readonly id?: string },
): Promise<SpendingRoom> {
  const caps = await limitsSetBy(tx, userId)
  const { perMonth } = caps
  const endless = Number.POSITIVE_INFINITY
  if (perMonth === null)
    return { ...capRoom(caps, 0, call.rateMicroUsd), caps, leftInMonth: endless, uncharged: endless }
  const { charged, held } = await spentInMonth(tx, userId, call.placedAt, call.id)
  return {
    ...capRoom(caps, held, call.rateMicroUsd),
    caps,
    leftInMonth: Math.max(0, perMonth - held),
    uncharged: Math.max(0, perMonth - charged),
  }
}

/**
 * What sets a call's limit where the credit, or the free call, reaches further: a cap of the user's own, or the longest call
 * that we allow.
 * @param room what the caps leave; undefined where they do not count
 */
export function boundOf(
  room: CapRoom | undefined,
  coveredMinutes: number,
  longestMinutes: number,
): CallBound | null {
  if (room !== undefined && room.minutes < Math.min(coveredMinutes, longestMinutes)) return room.cap
  return longestMinutes < coveredMinutes ? 'longest' : null
}
