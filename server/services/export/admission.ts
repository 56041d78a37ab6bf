import { success } from '#lib/result.ts'
import type { Services } from '../context.ts'

/** The least time from one export to the next. */
const gapMs = 60_000
/** An export that takes longer is given up; a process that dies leaves its own to run out as well. */
export const longestExportMs = 10 * 60_000

/** An export that may be made. */
export interface Admission {
  readonly startedAt: Date
}

export interface ExportRefusal {
  readonly ok: false
  /** Another one is being made, or was made just now. */
  readonly code: 'busy' | 'too_soon'
  /** Until it would be admitted at the latest. */
  readonly waitMs: number
}

/** Lets a user export their data: one at a time, whichever process makes it, and one a minute. */
export async function admitExport(
  { db, clock }: Services,
  userId: string,
): Promise<{ readonly ok: true; readonly value: Admission } | ExportRefusal> {
  const startedAt = clock.now()
  const now = startedAt.getTime()
  const [admitted] = await db.query(
    `insert into data_export (user_id, started_at, busy_until) values ($1, $2, $3)
     on conflict (user_id) do update set started_at = excluded.started_at, busy_until = excluded.busy_until
       where coalesce(data_export.busy_until, '-infinity') <= $2 and data_export.started_at <= $4
     returning user_id`,
    [userId, startedAt, new Date(now + longestExportMs), new Date(now - gapMs)],
  )
  if (admitted !== undefined) return success({ startedAt })
  const [row] = await db.query<{ started_at: Date; busy_until: Date | null }>(
    'select started_at, busy_until from data_export where user_id = $1',
    [userId],
  )
  const sinceMs = row === undefined ? 0 : now - row.started_at.getTime()
  const busyMs = row?.busy_until == null ? 0 : row.busy_until.getTime() - now
  // A time further away was written by a clock that was ahead.
  const gapWaitMs = Math.min(gapMs, Math.max(1, gapMs - sinceMs))
  if (busyMs <= 0) return { ok: false, code: 'too_soon', waitMs: gapWaitMs }
  return { ok: false, code: 'busy', waitMs: Math.min(longestExportMs, Math.max(busyMs, gapWaitMs)) }
}

/** The export has ended, whole or not. */
export async function endExport({ db }: Services, userId: string, { startedAt }: Admission): Promise<void> {
  await db.query('update data_export set busy_until = null where user_id = $1 and started_at = $2', [
    userId,
    startedAt,
  ])
}
