import { success } from '#lib/result.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'

const gapMs = minuteMs
/** Lease: a longer export is aborted, and that of a dead process expires. */
export const longestExportMs = 10 * minuteMs

export interface Admission {
  readonly startedAt: Date
}

export interface ExportRejection {
  readonly ok: false
  readonly code: 'busy' | 'too_soon'
  readonly waitMs: number
}

/** Admits a user's export: one at a time across processes, and one a minute. */
export async function admitExport(
  { db, clock }: Services,
  userId: string,
): Promise<{ readonly ok: true; readonly value: Admission } | ExportRejection> {
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

export async function endExport({ db }: Services, userId: string, { startedAt }: Admission): Promise<void> {
  await db.query('update data_export set busy_until = null where user_id = $1 and started_at = $2', [
    userId,
    startedAt,
  ])
}
