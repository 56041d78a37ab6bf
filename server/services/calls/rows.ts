import type { CallBound, CallOutcome, CallRecord } from '#lib/api/calls.ts'
import type { CallEvent } from '#lib/api/realtime.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'
import { msPerMinute } from '#lib/rules/pricing.ts'
import type { Db } from '../../db/port.ts'
import type { HangUpReason } from '../../telephony/port.ts'

export interface CallRow {
  readonly id: string
  readonly user_id: string
  readonly to_number: string
  readonly iso_code: string
  /** Micro-dollars per minute. */
  readonly rate: number
  readonly free: boolean
  readonly limit_ms: number
  readonly state: 'placed' | 'ringing' | 'answered' | 'ended'
  readonly placed_at: Date
  readonly answered_at: Date | null
  readonly heartbeat_at: Date | null
  /** How long it had been answered at the last sign of life, by the network's monotonic clock; null where not known. */
  readonly alive_ms: number | null
  readonly ended_at: Date | null
  readonly answered_ms: number | null
  readonly minutes_charged: number
  /** Micro-dollars. */
  readonly cost: number
  readonly outcome: CallOutcome | null
  /** The process that carries the call; null on calls of versions that had only one. */
  readonly node: string | null
  /** What a shared network calls the caller's leg; null on calls that a process carries. */
  readonly carrier_leg: string | null
  /** The page's own name for it, a UUID; null where it told none. */
  readonly attempt: string | null
  /** What set its limit, where neither the credit nor the free call did. */
  readonly cap: CallBound | null
  readonly purpose: 'test' | null
  /** Why we had it hung up, where a shared network carries it. */
  readonly hang_up: HangUpReason | null
  /** Given back because it was bad. Micro-dollars. */
  readonly credited: number
}

/**
 * One by one, never `*`: a newer version adds columns while this one still runs, and PostgreSQL then refuses a
 * prepared statement whose result has become another.
 */
export const callColumns = `call.id, call.user_id, call.to_number, call.iso_code, call.rate, call.free, call.limit_ms,
  call.state, call.placed_at, call.answered_at, call.heartbeat_at, call.alive_ms, call.ended_at, call.answered_ms,
  call.minutes_charged, call.cost, call.outcome, call.node, call.carrier_leg, call.attempt, call.cap, call.purpose,
  call.hang_up, coalesce((select amount from call_credit where call_id = call.id), 0)::bigint as credited`

/**
 * The call, locked until the transaction ends: every change of a call goes through here. Locks are taken in
 * one order everywhere, so that no two transactions wait for each other: user, call, meter, account.
 */
export async function lockCall(tx: Db, callId: string): Promise<CallRow | undefined> {
  await tx.query(
    'select app_user.id from app_user join call on call.user_id = app_user.id where call.id = $1 for no key update of app_user',
    [callId],
  )
  const [row] = await tx.query<CallRow>(`select ${callColumns} from call where id = $1 for update`, [callId])
  return row
}

export interface LiveCall extends CallRow {
  /** Its next minute could not be paid. */
  readonly exhausted: boolean
}

/**
 * The live calls of one process, and those of any other that gave no sign of life since `silentSince`. Not those on a
 * shared network (`inquire.ts`): no process carries them.
 */
export async function liveCalls(db: Db, node: string, silentSince: Date): Promise<LiveCall[]> {
  return db.query<LiveCall>(
    `select ${callColumns}, coalesce(call_meter.state = 'exhausted', false) as exhausted
     from call left join call_meter on call_meter.call_id = call.id
     where call.state <> 'ended' and carrier_leg is null and (node = $1 or coalesce(heartbeat_at, placed_at) <= $2)
     order by placed_at`,
    [node, silentSince],
  )
}

export async function countLiveCalls(db: Db, userId: string): Promise<number> {
  const [row] = await db.query<{ live: number }>(
    `select count(*)::int as live from call where user_id = $1 and state <> 'ended'`,
    [userId],
  )
  return row?.live ?? 0
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
    minutesCharged: row.minutes_charged,
    cost: microUsdToUsd(row.cost),
    free: row.free,
    outcome: row.outcome,
    ...(row.state !== 'ended' && { limitMinutes: Math.floor(row.limit_ms / msPerMinute) }),
    ...(row.credited > 0 && { credited: microUsdToUsd(row.credited) }),
    ...(endedByCap(row) && row.cap !== null && { cap: row.cap }),
    ...(row.purpose !== null && { purpose: row.purpose }),
  }
}

/** A network that counts whole seconds may tell a call that was cut at its limit as a little shorter. */
const limitToleranceMs = 1000

/** A call whose credit ran out ends at a limit too, before the one that a cap had set. */
function endedByCap({ outcome, answered_ms, limit_ms }: CallRow): boolean {
  return outcome === 'limit' && (answered_ms ?? 0) >= limit_ms - limitToleranceMs
}

/** What names a call to the page that made it. */
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
