import type { Clock } from '../clock.ts'
import type { Db } from '../db/port.ts'
import type { Mail, Mailer } from '../mail/port.ts'
import type { KeptCard, Payments } from '../payments/port.ts'

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
  /** Who takes the cards; without it jobs that are for the provider wait. */
  readonly payments?: Pick<Payments, 'forgetCard'>
  /** Told of a failure, without the job's content: it may hold an address or a token. */
  readonly onFailure: (job: { id: number; kind: string; attempts: number }, error: unknown) => void
}

/**
 * Runs what is due, each job at least once and its effect once: a server that dies between the mail server's yes and the
 * note of it sends the mail again, under the same key. Returns how many were taken.
 */
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
    await perform(tools, job)
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
  if (job.kind === 'mail') await markSent(tools, job.id)
  else await tools.db.query('delete from job where id = $1', [job.id])
}

/** A mail's key stays, for the day its cause comes again; what it said, addresses and links, goes. */
async function markSent({ db, clock }: JobTools, id: number): Promise<void> {
  await db.query(
    `update job set done_at = $2, run_at = 'infinity', data = '{}', last_error = null where id = $1`,
    [id, clock.now()],
  )
}

async function perform({ mailer, payments }: JobTools, job: JobRow): Promise<void> {
  if (job.kind === 'mail') return mailer.send(job.data as Mail)
  if (job.kind !== 'forget_card' || payments === undefined) {
    throw new Error(`no handler for a job of kind ${job.kind}`)
  }
  const forgotten = await payments.forgetCard(job.data as KeptCard)
  if (!forgotten.ok) throw new Error(forgotten.code)
}

function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
