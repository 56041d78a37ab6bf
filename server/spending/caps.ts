import type { CallBound } from '#lib/api/calls.ts'
import { affordableMinutes } from '#lib/money/pricing.ts'
import { type CapRoom, type Caps, capRoom, monthOf } from '#lib/money/spending.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { type NewCustomerRoom, newCustomerRoom } from './new-customer.ts'

interface Limits extends Caps {
  readonly locked: readonly string[]
}

const noLimits: Limits = { perCall: null, perMonth: null, locked: [] }

export async function limitsSetBy(db: Db, userId: string): Promise<Limits> {
  const [row] = await db.query<{ per_call: number | null; per_month: number | null; locked: string[] }>(
    'select per_call, per_month, locked from spending_limit where user_id = $1',
    [userId],
  )
  return row === undefined ? noLimits : { perCall: row.per_call, perMonth: row.per_month, locked: row.locked }
}

/** @param isoCode upper case */
export async function isLocked(db: Db, userId: string, isoCode: string): Promise<boolean> {
  const rows = await db.query('select 1 from spending_limit where user_id = $1 and $2 = any(locked)', [
    userId,
    isoCode,
  ])
  return rows.length > 0
}

/** A user's spending on calls in one month. Micro-dollars. */
interface MonthSpent {
  readonly charged: number
  /** `charged` plus what live calls may still cost. */
  readonly held: number
}

/**
 * A user's spending in the month of `moment`, net of refunds. A call and its refund count in the month in which the call
 * was placed (ADR-63). One statement, since the meter charges without the user's lock.
 * @param except a call to leave out
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
       (select coalesce(sum(cost - credited), 0) as ended from call_sum_by_day
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

export interface SpendingRoom {
  /** Whole minutes, as calls are charged; Infinity without a limit. */
  readonly minutes: number
  readonly cap: CapRoom['cap'] | 'new_customer'
  readonly newCustomer: NewCustomerRoom | undefined
  readonly caps: Caps
  /** What the month's cap leaves for this call. Micro-dollars; Infinity without a cap. */
  readonly leftInMonth: number
  /** The same without the holds of other live calls. */
  readonly uncharged: number
}

/**
 * The time that the caps and our limit on new customers leave a charged call. The user must be locked.
 * @param call its id if it is live
 */
export async function spendingRoom(
  tx: Db,
  services: Services,
  userId: string,
  call: { readonly rateMicroUsd: number; readonly placedAt: Date; readonly id?: string },
): Promise<SpendingRoom> {
  const own = await ownRoom(tx, userId, call)
  const newCustomer = await newCustomerRoom(tx, services, userId, call.id)
  if (newCustomer === undefined) return { ...own, newCustomer }
  const minutes = affordableMinutes(newCustomer.left, call.rateMicroUsd)
  return minutes < own.minutes
    ? { ...own, minutes, cap: 'new_customer', newCustomer }
    : { ...own, newCustomer }
}

async function ownRoom(
  tx: Db,
  userId: string,
  call: { readonly rateMicroUsd: number; readonly placedAt: Date; readonly id?: string },
): Promise<CapRoom & Pick<SpendingRoom, 'caps' | 'leftInMonth' | 'uncharged'>> {
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

/** What limits a call that the balance would let last longer. @param room what the caps leave; undefined if they do not apply */
export function boundOf(
  room: Pick<SpendingRoom, 'minutes' | 'cap'> | undefined,
  coveredMinutes: number,
  longestMinutes: number,
): CallBound | null {
  if (room !== undefined && room.minutes < Math.min(coveredMinutes, longestMinutes)) return room.cap
  return longestMinutes < coveredMinutes ? 'longest' : null
}
