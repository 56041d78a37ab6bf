import type { Db } from '../db/port.ts'
import { AddressRefused, type Delivery, type Mail, type Mailer, replyTimeoutMs } from '../mail/port.ts'
import type { KeptCard, Payments } from '../payment-provider/port.ts'
import type { Clock } from '../process/clock.ts'

interface JobRow {
  readonly id: number
  readonly kind: string
  readonly data: unknown
  readonly attempts: number
}

/** Lease on a job, in seconds; must outlast `longestWorkMs`. When it expires, another process retries the job. */
const claimSeconds = 60
const longestWorkMs = 20_000
/** Lease on an e-mail that waits for the mail server's reply; outlasts `replyTimeoutMs`. */
const replyClaimSeconds = replyTimeoutMs / 1000 + 60
const longestBackoffSeconds = 3600
/** An undeliverable e-mail is given up after this many attempts: pauses grow to an hour, 3 days in all. */
const maxMailAttempts = 83
/** A rejected address is given up after this many attempts, about four minutes: the mailbox may be about to be created. */
const maxRejectedAttempts = 8

export interface FailedJob {
  readonly id: number
  readonly kind: string
  readonly attempts: number
  readonly gaveUp: boolean
  /** Name and code of the error, without its message. */
  readonly reason: string
}

export interface JobTools {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  /** Without it, `forget_card` jobs wait. */
  readonly payments?: Pick<Payments, 'forgetCard'>
  /** Makes the carrier forget a number. Without it, such jobs wait. @throws when the carrier is unavailable */
  readonly forgetNumber?: (number: string) => Promise<void>
  /** Makes the carrier hang up a call, by its id. Without it, such jobs wait. @throws when the carrier is unavailable */
  readonly hangUp?: (callId: string) => Promise<void>
  readonly rewardReferral?: (paymentId: string) => Promise<void>
  readonly mailEnvelope?: (paymentId: string) => Promise<void>
  /** Without the job's content, which may hold an address or a token. @param job `gaveUp`: it is not retried */
  readonly onFailure: (job: FailedJob, error: unknown) => void
  readonly trace?: (kind: string, attempt: () => Promise<void>) => Promise<void>
  /** Milliseconds after which an attempt counts as failed. Default 20 s. */
  readonly longestWorkMs?: number
  /** Aborted when the process must stop: running work is cut off and due again at once. */
  readonly stopping?: AbortSignal
}

/**
 * Runs the due jobs, each at least once and its effect once. If the server dies before it records that an e-mail was
 * sent, the e-mail goes again with the same key. Failures are retried, e-mails for three days. Work that takes too long
 * is cut off, so that no two processes do it at once.
 * @returns how many jobs were taken, once all of them have finished
 */
export async function runDueJobs(tools: JobTools, limit = 20): Promise<number> {
  const { taken, mails } = await startDueJobs(tools, limit)
  await mails
  return taken
}

/** No more e-mails than free connections: waiting for one would count as a failure. Other jobs are limited separately. */
const claimDue = `
with mails as (
  select id from job where run_at <= $2 and kind = 'mail' order by run_at, id limit $3 for update skip locked
), others as (
  select id from job where run_at <= $2 and kind <> 'mail' order by run_at, id limit $4 for update skip locked
)
update job set run_at = $1, attempts = attempts + 1
where id in (select id from mails union all select id from others)
returning id, kind, data, attempts`

/** As `runDueJobs`, but does not wait for e-mails, as the mail server may be slow: `mails` settles with the last of them. */
export async function startDueJobs(
  tools: JobTools,
  limit = 20,
): Promise<{ readonly taken: number; readonly mails: Promise<unknown> }> {
  const { db, clock, mailer } = tools
  const now = clock.now()
  const maxMails = Math.min(limit, mailer.free?.() ?? limit)
  const claimed = await db.query<JobRow>(claimDue, [secondsAfter(now, claimSeconds), now, maxMails, limit])
  const started = claimed.map(job => ({ isMail: job.kind === 'mail', done: runOne(tools, job) }))
  const mails = Promise.all(started.filter(({ isMail }) => isMail).map(({ done }) => done))
  // Avoids an unhandled rejection; a caller that awaits `mails` later still gets the error.
  mails.catch(() => undefined)
  await Promise.all(started.filter(({ isMail }) => !isMail).map(({ done }) => done))
  return { taken: claimed.length, mails }
}

async function runOne(tools: JobTools, job: JobRow): Promise<void> {
  try {
    const attempt = () =>
      withinTime(
        delivery => perform(tools, job, delivery),
        () => keepClaim(tools, job.id),
        tools.longestWorkMs ?? longestWorkMs,
        tools.stopping,
      )
    await (tools.trace === undefined ? attempt() : tools.trace(job.kind, attempt))
  } catch (error) {
    if (tools.stopping?.aborted) return putBack(tools, job.id)
    const maxAttempts = error instanceof AddressRefused ? maxRejectedAttempts : maxMailAttempts
    const gaveUp = job.kind === 'mail' && job.attempts >= maxAttempts
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

/** Keeps the key, so that the e-mail is sent once; deletes its content. @param lastError null: it was sent */
async function finishMail({ db, clock }: JobTools, id: number, lastError: string | null): Promise<void> {
  await db.query(
    `update job set done_at = $2, run_at = 'infinity', data = '{}', last_error = $3 where id = $1`,
    [id, clock.now(), lastError],
  )
}

async function putBack({ db, clock }: JobTools, id: number): Promise<void> {
  await db.query('update job set run_at = $2, attempts = attempts - 1 where id = $1', [id, clock.now()])
}

async function keepClaim({ db, clock }: JobTools, id: number): Promise<void> {
  await db.query('update job set run_at = $2 where id = $1', [
    id,
    secondsAfter(clock.now(), replyClaimSeconds),
  ])
}

/** Only a name and a code: an error's message may hold an address or a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { name, code } = error as Error & { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9 ._-]{1,40}$/.test(code) ? `${name} ${code}` : name
}

/**
 * Aborts work after `ms` milliseconds, or when the process stops, so that it is over before the next attempt. An e-mail
 * already handed over has its own time limit; on a stop the mailer decides about it, since it knows the outcome.
 * @throws TimeoutError, or the reason for the stop. Work that ignores its signal goes on, but its result is dropped
 */
async function withinTime<T>(
  work: (delivery: Required<Delivery>) => Promise<T>,
  keepClaim: () => Promise<void>,
  ms: number,
  stopping?: AbortSignal,
): Promise<T> {
  stopping?.throwIfAborted()
  const over = new AbortController()
  const cutOff = Promise.withResolvers<never>()
  let claimKept: Promise<void> | undefined
  const end = (reason: unknown) => {
    if (claimKept === undefined) cutOff.reject(reason)
    over.abort(reason)
  }
  const timer = setTimeout(() => end(new DOMException('it took too long', 'TimeoutError')), ms)
  const stop = () => end(stopping?.reason)
  stopping?.addEventListener('abort', stop, { once: true })
  const onHandedOver = () => {
    clearTimeout(timer)
    // If the lease cannot be extended, the worst outcome is a duplicate e-mail.
    claimKept = keepClaim().catch(() => undefined)
  }
  try {
    return await Promise.race([work({ signal: over.signal, onHandedOver }), cutOff.promise])
  } finally {
    clearTimeout(timer)
    stopping?.removeEventListener('abort', stop)
    await claimKept
  }
}

async function perform(tools: JobTools, job: JobRow, delivery: Delivery): Promise<void> {
  const { mailer, payments, forgetNumber, hangUp, rewardReferral, mailEnvelope } = tools
  if (job.kind === 'mail') return mailer.send(job.data as Mail, delivery)
  if (job.kind === 'forget_number' && forgetNumber !== undefined) return forgetNumber(job.data as string)
  if (job.kind === 'hang_up' && hangUp !== undefined) return hangUp(job.data as string)
  if (job.kind === 'referral_reward' && rewardReferral !== undefined)
    return rewardReferral(job.data as string)
  if (job.kind === 'gift_envelope' && mailEnvelope !== undefined) return mailEnvelope(job.data as string)
  if (job.kind !== 'forget_card' || payments === undefined) {
    throw new Error(`no handler for a job of kind ${job.kind}`)
  }
  const forgotten = await payments.forgetCard(job.data as KeptCard)
  if (!forgotten.ok) throw new Error(forgotten.code)
}

function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
