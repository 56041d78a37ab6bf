import { dayMs } from '#lib/time.ts'
import { DatabaseUnavailable, type Db } from '../db/port.ts'
import { budgetKinds, defaultBudgets } from '../limits/budget-policy.ts'
import type { Clock } from '../process/clock.ts'

export interface Facts {
  readonly live: { readonly placed: number; readonly ringing: number; readonly answered: number }
  /** How long the most overdue minute has been due; 0 if none is. */
  readonly meterDueMs: number
  readonly jobsDue: number
  readonly jobsLater: number
  readonly oldestJobMs: number
  /** In the last 24 hours. */
  readonly mailsGivenUp: number
  /** In the last reconciliation; null before the first. */
  readonly differences: number | null
  readonly comparedAt: Date | null
  /** Prefixes to which calls are paused. */
  readonly pausedPrefixes: number
  /** Used share of today's overall budgets, by kind: 1 is all of it. */
  readonly budgets: Readonly<Record<string, number>>
  /** This machine's clock minus the database's. */
  readonly clockOffsetMs: number
}

interface Row {
  readonly placed: number
  readonly ringing: number
  readonly answered: number
  readonly minute_due_at: Date | null
  readonly jobs_due: number
  readonly jobs_later: number
  readonly oldest_job_at: Date | null
  readonly mails_given_up: number
  readonly differences: number | null
  readonly ran_at: Date | null
  readonly paused: number
  readonly budgets: Readonly<Record<string, number>> | null
  readonly database_now: Date
  readonly read_only: boolean
}

/** The database's own time, only for comparison with ours; also read after a clock leap (`clock-leap.ts`). */
const ask = `select
  (select count(*)::int from call where state = 'placed') as placed,
  (select count(*)::int from call where state = 'ringing') as ringing,
  (select count(*)::int from call where state = 'answered') as answered,
  (select min(next_charge_at) from call_meter where next_charge_at is not null) as minute_due_at,
  (select count(*)::int from job where run_at <= $1) as jobs_due,
  (select count(*)::int from job where run_at > $1 and run_at < 'infinity') as jobs_later,
  (select min(run_at) from job where run_at <= $1) as oldest_job_at,
  (select count(*)::int from job where done_at is not null and last_error is not null and done_at > $2) as mails_given_up,
  (select differences from reconciliation) as differences,
  (select ran_at from reconciliation) as ran_at,
  (select count(*)::int from prefix_pause where ends_at > $1) as paused,
  (select jsonb_object_agg(kind, used::float8 / greatest(1, max_used)) from budget_counter
     where kind = any($3::text[]) and scope = 'everyone' and ends_at > $1) as budgets,
  clock_timestamp() as database_now,
  current_setting('transaction_read_only')::boolean as read_only`

const dailyBudgets = budgetKinds.filter(kind => defaultBudgets[kind].some(({ per }) => per === 'everyone'))
/** A budget unused today has no row. */
const noneUsed = Object.fromEntries(dailyBudgets.map(kind => [kind, 0]))

/** @throws DatabaseUnavailable */
export async function readFacts(db: Db, clock: Clock): Promise<Facts> {
  const now = clock.now()
  const ageOf = (moment: Date | null) => (moment === null ? 0 : Math.max(0, now.getTime() - moment.getTime()))
  const [row] = await db.query<Row>(ask, [now, new Date(now.getTime() - dayMs), dailyBudgets])
  if (row === undefined) throw new Error('the database told nothing of itself')
  // A former primary still answers after a failover, but is useless.
  if (row.read_only) throw new DatabaseUnavailable('the database takes no changes')
  return {
    live: { placed: row.placed, ringing: row.ringing, answered: row.answered },
    meterDueMs: ageOf(row.minute_due_at),
    jobsDue: row.jobs_due,
    jobsLater: row.jobs_later,
    oldestJobMs: ageOf(row.oldest_job_at),
    mailsGivenUp: row.mails_given_up,
    differences: row.differences,
    comparedAt: row.ran_at,
    pausedPrefixes: row.paused,
    budgets: { ...noneUsed, ...row.budgets },
    clockOffsetMs: clock.now().getTime() - row.database_now.getTime(),
  }
}

const freshMs = 5000
const factTimeoutMs = 2000

/** Queries the facts at most every 5 s, never twice at once. @returns null while the database does not answer */
export function rememberFacts(db: Db, clock: Clock): () => Promise<Facts | null> {
  let asked: { readonly atMs: number; readonly answer: Promise<Facts | null> } | undefined
  let isUnderWay = false
  return async () => {
    const nowMs = clock.monotonicMs()
    if (asked === undefined || (!isUnderWay && nowMs - asked.atMs >= freshMs)) {
      isUnderWay = true
      const question = readFacts(db, clock).finally(() => {
        isUnderWay = false
      })
      asked = { atMs: nowMs, answer: inTime(question) }
    }
    return asked.answer
  }
}

async function inTime(facts: Promise<Facts>): Promise<Facts | null> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), factTimeoutMs)
  })
  try {
    return await Promise.race([facts.catch(() => null), tooLate])
  } finally {
    clearTimeout(timer)
  }
}
