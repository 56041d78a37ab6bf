import type { Services } from '../../context.ts'
import type { CallRow } from '../rows.ts'

/** More than the second or two by which an edge ends a call after its limit, when our server could not. Milliseconds. */
const toleranceMs = 3000

interface RecordedCall {
  readonly callId: string
  /** By the edge's record; null: not answered. */
  readonly answeredMs: number | null
}

/** Alerts when the edge, and so the carrier, had a settled call answered for longer or shorter than it was charged. Changes nothing. */
export async function compareWithRecord(
  { db, log, observe }: Pick<Services, 'db' | 'log' | 'observe'>,
  { callId, answeredMs: recordedMs }: RecordedCall,
): Promise<void> {
  const [call] = await db.query<Pick<CallRow, 'answered_ms'>>(
    `select answered_ms from call where id = $1 and state = 'ended'`,
    [callId],
  )
  if (call === undefined) return
  const { answered_ms: answeredMs } = call
  const differenceMs = (recordedMs ?? 0) - (answeredMs ?? 0)
  if (Math.abs(differenceMs) <= toleranceMs) return
  log.error({ callId, answeredMs, recordedMs }, 'the edge recorded another length of a call than we charged')
  observe?.({ kind: 'call_record_differs', edgeHas: differenceMs > 0 ? 'more' : 'less' })
}
