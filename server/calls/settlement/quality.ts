import type { callQuality } from '#lib/api/call-quality.ts'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { type CallRow, lockCall } from '../rows.ts'
import { automaticCredit, type MeasuredSound } from './call-credit.ts'
import { announceCredit, creditAutomatically, withRaisedLimits } from './credit.ts'

export type CallQuality = RequestOutput<typeof callQuality>['body']

/** Pages report at the end of a call; reports later than this are dropped. */
const latestMs = 10 * minuteMs

/**
 * Saves a page's measurements of its user's call. Only the first report counts, during the call or soon after an
 * answered one. A report of silence may earn a credit.
 * @returns false when the call is not one of this user's
 */
export async function keepQuality(
  services: Services,
  userId: string,
  callId: string,
  quality: CallQuality,
): Promise<boolean> {
  const kept = await services.db.transaction(async tx => {
    const call = await lockCall(tx, callId)
    if (call?.user_id !== userId) return undefined
    const late = call.ended_at !== null && services.clock.now().getTime() - call.ended_at.getTime() > latestMs
    const unanswered = call.state === 'ended' && call.answered_at === null
    if (unanswered || late || !(await insert(tx, services, callId, quality))) return { fresh: false as const }
    return { fresh: true as const, credited: await creditIfSilent(tx, services, call, quality) }
  })
  if (kept === undefined) return false
  if (!kept.fresh) return true
  services.observe?.({ kind: 'call_measured', ...quality })
  if (kept.credited > 0) await announceCredit(services, userId, 'no_sound', kept.credited)
  return true
}

export async function measuredSound(db: Db, callId: string): Promise<MeasuredSound | null> {
  const [row] = await db.query<{ seconds: number; heard_seconds: number }>(
    'select seconds, heard_seconds from call_quality where call_id = $1',
    [callId],
  )
  return row === undefined ? null : { seconds: row.seconds, heardSeconds: row.heard_seconds }
}

async function insert(tx: Db, services: Services, callId: string, quality: CallQuality): Promise<boolean> {
  const { seconds, heardSeconds, mos, lossPercent, jitterMs, roundTripMs } = quality
  const made = await tx.query(
    `insert into call_quality (call_id, seconds, heard_seconds, mos, loss_percent, jitter_ms, round_trip_ms, reported_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (call_id) do nothing returning call_id`,
    [callId, seconds, heardSeconds, mos, lossPercent, jitterMs, roundTripMs, services.clock.now()],
  )
  return made.length > 0
}

/** @returns micro-dollars credited now; 0 for a live call, which its settlement decides */
async function creditIfSilent(
  tx: Db,
  services: Services,
  call: CallRow,
  measured: MeasuredSound,
): Promise<number> {
  if (call.state !== 'ended' || call.cost === 0 || call.answered_ms === null) return 0
  const due = automaticCredit({ answeredMs: call.answered_ms, networkHeard: null, measured })
  // A short call was decided at its settlement.
  if (due?.reason !== 'no_sound') return 0
  return withRaisedLimits(tx, services, call.user_id, () => creditAutomatically(tx, services, call, due))
}
