import type { Clock } from '../clock.ts'
import type { Db } from '../db/port.ts'
import { AddressRefused, type Mail, type Mailer } from '../mail/port.ts'
import type { KeptCard, Payments } from '../payments/port.ts'

interface JobRow {
  readonly id: number
  readonly kind: string
  readonly data: unknown
  readonly attempts: number
}

/** A claimed job is nobody else's for this long; a process that dies leaves it to the next one after that. */
const claimSeconds = 60
/** Nothing takes longer, so that a job is done with well before its claim is over and another process takes it. */
const longestWorkMs = 20_000
/** The longest pause between two attempts. */
const longestBackoffSeconds = 3600
/** A mail that cannot be delivered after so many is given up: pauses that grow for an hour, then one an hour, 3 days. */
const mostMailAttempts = 83
/** An address that is refused outright is given up after so many, some four minutes: a mailbox may be on its way. */
const mostRefusedAttempts = 8

export interface FailedJob {
  readonly id: number
  readonly kind: string
  readonly attempts: number
  readonly gaveUp: boolean
  /** Which kind of failure, without its words. */
  readonly reason: string
}

export interface JobTools {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  /** Who takes the cards; without it jobs that are for the provider wait. */
  readonly payments?: Pick<Payments, 'forgetCard'>
  /** Has the telephone network forget a number; without it jobs that are for the network wait. @throws not now */
  readonly forgetNumber?: (number: string) => Promise<void>
  /** Has the telephone network end a call, by its id; without it such jobs wait. @throws not now */
  readonly hangUp?: (callId: string) => Promise<void>
  /**
   * Told of a failure, without the job's content: it may hold an address or a token.
   * @param job `gaveUp`: it is not tried again
   */
  readonly onFailure: (job: FailedJob, error: unknown) => void
  /** Runs each attempt, to draw where its time goes. */
  readonly trace?: (kind: string, attempt: () => Promise<void>) => Promise<void>
  /** Milliseconds after which an attempt counts as failed; 20 s unless given. */
  readonly longestWorkMs?: number
  /** Aborted when the process cannot wait any longer: what is under way is cut off, and is due again at once. */
  readonly stopping?: AbortSignal
}

/**
 * Runs what is due, each job at least once and its effect once: a server that dies between the mail server's yes and the
 * note of it sends the mail again, under the same key. What fails is tried again, a mail for three days. What takes too long
 * is cut off, so that no two processes send it at once. Returns how many were taken.
 */
export async function runDueJobs(tools: JobTools, limit = 20): Promise<number> {
  const { db, clock } = tools
  const now = clock.now()
  const claimed = await db.query<JobRow>(
    `update job set run_at = $1, attempts = attempts + 1
     where id in (select id from job where run_at <= $2 order by run_at, id limit $3 for update skip locked)
     returning id, kind, data, attempts`,
    [secondsAfter(now, claimSeconds), now, limit],
  )
  await Promise.all(claimed.map(job => runOne(tools, job)))
  return claimed.length
}

async function runOne(tools: JobTools, job: JobRow): Promise<void> {
  try {
    const attempt = () =>
      withinTime(signal => perform(tools, job, signal), tools.longestWorkMs ?? longestWorkMs, tools.stopping)
    await (tools.trace === undefined ? attempt() : tools.trace(job.kind, attempt))
  } catch (error) {
    if (tools.stopping?.aborted) return putBack(tools, job.id)
    const mostAttempts = error instanceof AddressRefused ? mostRefusedAttempts : mostMailAttempts
    const gaveUp = job.kind === 'mail' && job.attempts >= mostAttempts
    const reason = reasonOf(error)
    tools.onFailure({ id: job.id, kind: job.kind, attempts: job.attempts, gaveUp, reason }, error)
    if (gaveUp) return finishMail(tools, job.id, reason)
    const pauseSeconds = Math.min(2 ** job.attempts, longestBackoffSeconds)
    await tools.db.query('update job set last_error = $2, run_at = $3 where id = $1', [
      job.id,
      reason,
      secondsAfter(tools.clock.now(), pauseSeconds),
    ])
    return
  }
  if (job.kind === 'mail') await finishMail(tools, job.id, null)
  else await tools.db.query('delete from job where id = $1', [job.id])
}

/**
 * A mail's key stays, for the day its cause comes again; what it said, addresses and links, goes.
 * @param lastError why it was given up; null: it was sent
 */
async function finishMail({ db, clock }: JobTools, id: number, lastError: string | null): Promise<void> {
  await db.query(
    `update job set done_at = $2, run_at = 'infinity', data = '{}', last_error = $3 where id = $1`,
    [id, clock.now(), lastError],
  )
}

/** As if it had not been taken: another process takes it. */
async function putBack({ db, clock }: JobTools, id: number): Promise<void> {
  await db.query('update job set run_at = $2, attempts = attempts - 1 where id = $1', [id, clock.now()])
}

/** A name and a code at most: an error's words may hold an address or a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { name, code } = error as Error & { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9 ._-]{1,40}$/.test(code) ? `${name} ${code}` : name
}

/**
 * Ends work by its signal after so many milliseconds, or when the process stops, so that it is over when the next attempt
 * begins.
 * @throws TimeoutError then, or the reason of the stop; work that does not heed its signal goes on, and is not heard any more
 */
async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  ms: number,
  stopping?: AbortSignal,
): Promise<T> {
  stopping?.throwIfAborted()
  const over = new AbortController()
  const cutOff = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    cutOff.reject(reason)
    over.abort(reason)
  }
  const timer = setTimeout(() => end(new DOMException('it took too long', 'TimeoutError')), ms)
  const stop = () => end(stopping?.reason)
  stopping?.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(over.signal), cutOff.promise])
  } finally {
    clearTimeout(timer)
    stopping?.removeEventListener('abort', stop)
  }
}

async function perform(tools: JobTools, job: JobRow, signal: AbortSignal): Promise<void> {
  const { mailer, payments, forgetNumber, hangUp } = tools
  if (job.kind === 'mail') return mailer.send(job.data as Mail, signal)
  if (job.kind === 'forget_number' && forgetNumber !== undefined) return forgetNumber(job.data as string)
  if (job.kind === 'hang_up' && hangUp !== undefined) return hangUp(job.data as string)
  if (job.kind !== 'forget_card' || payments === undefined) {
    throw new Error(`no handler for a job of kind ${job.kind}`)
  }
  const forgotten = await payments.forgetCard(job.data as KeptCard)
  if (!forgotten.ok) throw new Error(forgotten.code)
}

function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
