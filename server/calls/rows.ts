import type { CallBound, CallOutcome, CallRecord } from '#lib/api/calls.ts'
import type { CallEvent } from '#lib/api/realtime.ts'
import { type HangUpReason, reachedLimit } from '#lib/calls/call-end.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { minuteMs } from '#lib/time.ts'
import type { Db } from '../db/port.ts'
import type { Reservation } from '../limits/reserve.ts'

export interface CallRow {
  readonly id: string
  readonly user_id: string
  readonly to_number: string
  readonly iso_code: string
  /** Micro-dollars a minute. */
  readonly rate: number
  /** The part of `rate` added by the user's own caller ID. */
  readonly surcharge: number
  readonly free: boolean
  readonly limit_ms: number
  readonly state: 'placed' | 'ringing' | 'answered' | 'ended'
  readonly placed_at: Date
  readonly answered_at: Date | null
  readonly heartbeat_at: Date | null
  /** Answered time at the last sign of life, by the network's monotonic clock; null if unknown. */
  readonly alive_ms: number | null
  readonly ended_at: Date | null
  readonly answered_ms: number | null
  readonly minutes_charged: number
  readonly cost: number
  readonly outcome: CallOutcome | null
  /** The process that carries the call; null on calls from versions with a single process. */
  readonly node: string | null
  /** A shared network's id of the browser's leg; null on calls that a process carries. */
  readonly carrier_leg: string | null
  /** The page's UUID of the call attempt; null if it sent none. */
  readonly attempt: string | null
  /** What set the limit, if neither the balance nor the free call did. */
  readonly cap: CallBound | null
  readonly purpose: 'test' | null
  readonly hang_up: HangUpReason | null
  readonly budget: Reservation | null
  /** Goodwill credit given for the call. Micro-dollars. */
  readonly credited: number
}

/** Never `*`: PostgreSQL rejects a prepared statement whose columns change when a newer version adds some. */
export const callColumns = `call.id, call.user_id, call.to_number, call.iso_code, call.rate, call.surcharge, call.free, call.limit_ms,
  call.state, call.placed_at, call.answered_at, call.heartbeat_at, call.alive_ms, call.ended_at, call.answered_ms,
  call.minutes_charged, call.cost, call.outcome, call.node, call.carrier_leg, call.attempt, call.cap, call.purpose,
  call.hang_up, call.budget, call.credited`

/** Every change of a call takes this lock. To avoid deadlocks, always lock in the order user, call, meter, account. */
export async function lockCall(tx: Db, callId: string): Promise<CallRow | undefined> {
  await tx.query(
    'select app_user.id from app_user join call on call.user_id = app_user.id where call.id = $1 for no key update of app_user',
    [callId],
  )
  const [row] = await tx.query<CallRow>(`select ${callColumns} from call where id = $1 for update`, [callId])
  return row
}

export interface LiveCall extends CallRow {
  readonly exhausted: boolean
}

/** Also calls of processes without a heartbeat since `silentSince`. Not those on a shared network (`poll-carrier.ts`). */
export async function liveCalls(db: Db, node: string, silentSince: Date): Promise<LiveCall[]> {
  return db.query<LiveCall>(
    `select ${callColumns}, coalesce(call_meter.state = 'exhausted', false) as exhausted
     from call left join call_meter on call_meter.call_id = call.id
     where call.state <> 'ended' and carrier_leg is null and (node = $1 or coalesce(heartbeat_at, placed_at) <= $2)
     order by placed_at`,
    [node, silentSince],
  )
}

export function presentCall(row: CallRow): CallRecord {
  return {
    id: row.id,
    to: row.to_number,
    isoCode: row.iso_code,
    state: row.state,
    placedAt: row.placed_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    seconds: Math.ceil((row.answered_ms ?? 0) / 1000),
    ratePerMinute: microUsdToUsd(row.rate),
    ...(row.surcharge > 0 && { surcharge: microUsdToUsd(row.surcharge) }),
    minutesCharged: row.minutes_charged,
    cost: microUsdToUsd(row.cost),
    free: row.free,
    outcome: row.outcome,
    ...(row.state !== 'ended' && { limitMinutes: Math.floor(row.limit_ms / minuteMs) }),
    ...(row.credited > 0 && { credited: microUsdToUsd(row.credited) }),
    ...(endedByCap(row) && row.cap !== null && { cap: row.cap }),
    ...(row.purpose !== null && { purpose: row.purpose }),
  }
}

/** Distinguishes a cap from an exhausted balance, which also ends a call with `limit`, but earlier. */
function endedByCap({ outcome, answered_ms, limit_ms }: CallRow): boolean {
  return outcome === 'limit' && reachedLimit(answered_ms, limit_ms)
}

export function attemptOf({ attempt }: Pick<CallRow, 'attempt'>): { readonly attempt?: string } {
  return attempt === null ? {} : { attempt }
}

export function presentCallEvent(row: CallRow): CallEvent {
  return {
    id: row.id,
    ...attemptOf(row),
    state: row.state,
    answeredAt: row.answered_at?.toISOString() ?? null,
    outcome: row.outcome,
  }
}
