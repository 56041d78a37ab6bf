import type { Clock } from '../clock.ts'
import type { Db } from '../db/port.ts'
import type { Mail, Mailer } from '../mail/port.ts'

interface JobRow {
  readonly id: number
  readonly kind: string
  readonly data: unknown
  readonly attempts: number
}

/** A claimed job is nobody else's for this long; a process that dies leaves it to the next one after that. */
const claimSeconds = 60
/** The longest pause between two attempts. */
const longestBackoffSeconds = 3600

export interface JobTools {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  /** Told of a failure, without the job's content: it may hold an address or a token. */
  readonly onFailure: (job: { id: number; kind: string; attempts: number }, error: unknown) => void
}

/** Runs what is due, each job at least once and its effect once. Returns how many were taken. */
export async function runDueJobs(tools: JobTools, limit = 20): Promise<number> {
  const { db, clock } = tools
  const now = clock.now()
  const claimed = await db.query<JobRow>(
    `update job set run_at = $1, attempts = attempts + 1
     where id in (select id from job where run_at <= $2 order by run_at limit $3 for update skip locked)
     returning id, kind, data, attempts`,
    [secondsAfter(now, claimSeconds), now, limit],
  )
  await Promise.all(claimed.map(job => runOne(tools, job)))
  return claimed.length
}

async function runOne(tools: JobTools, job: JobRow): Promise<void> {
  try {
    await perform(tools.mailer, job)
  } catch (error) {
    tools.onFailure({ id: job.id, kind: job.kind, attempts: job.attempts }, error)
    const pauseSeconds = Math.min(2 ** job.attempts, longestBackoffSeconds)
    await tools.db.query('update job set last_error = $2, run_at = $3 where id = $1', [
      job.id,
      error instanceof Error ? error.name : 'unknown',
      secondsAfter(tools.clock.now(), pauseSeconds),
    ])
    return
  }
  await tools.db.query('delete from job where id = $1', [job.id])
}

async function perform(mailer: Mailer, job: JobRow): Promise<void> {
  if (job.kind !== 'mail') throw new Error(`no handler for a job of kind ${job.kind}`)
  await mailer.send(job.data as Mail)
}

function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
