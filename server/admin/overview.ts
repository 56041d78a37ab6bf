import type { OpsOverview, OpsProcess, OpsSpan } from '#lib/api/ops.ts'
import { hourMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import { DatabaseUnavailable } from '../db/port.ts'
import { budgetAlertShare } from '../limits/budget-policy.ts'
import type { Facts } from '../observability/facts.ts'
import { samplePauseMs } from '../observability/samples.ts'
import type { Clock } from '../process/clock.ts'
import { readBrowsers } from './browsers.ts'
import { readIncidents, readLastHour } from './incidents.ts'
import { beginningOf, readIntervals } from './intervals.ts'

type Tools = Pick<Services, 'db' | 'clock'>

/** Processes write once a minute; one that missed two is silent. */
const silentMs = 2.5 * samplePauseMs
/** How long a stopped process is still shown. */
const shownMs = hourMs
/** The past changes little, so each span is cached this long for all operators. */
const freshMs: Readonly<Record<OpsSpan, number>> = { hour: 5_000, day: 10_000, week: 60_000 }
/** Comparing browsers reads each call of the span, and no minute of it is urgent. */
const browsersFreshMs: Readonly<Record<OpsSpan, number>> = { hour: 30_000, day: 60_000, week: 300_000 }

export interface OverviewSources {
  /** Null while the database does not answer. */
  readonly facts: () => Promise<Facts | null>
  /** Undefined: no Redis is configured. */
  readonly redisReady: (() => boolean) | undefined
}

/** @throws DatabaseUnavailable when it does not answer in time */
export function createOverview(
  tools: Tools,
  { facts: factsOf, redisReady }: OverviewSources,
): (span: OpsSpan, operator: string) => Promise<OpsOverview> {
  const intervalsOf = rememberBySpan(tools.clock, span => readIntervals(tools, span))
  const incidentsOf = rememberBySpan(tools.clock, span => readIncidents(tools, span))
  const troublesOf = rememberBySpan(tools.clock, span => readTroubles(tools, span))
  const browsersOf = rememberBySpan(tools.clock, span => readBrowsers(tools, span), browsersFreshMs)
  const redis = () => {
    if (redisReady === undefined) return 'not_configured'
    return redisReady() ? 'answers' : 'away'
  }
  return async (span, operator) => {
    const facts = await factsOf()
    if (facts === null) throw new DatabaseUnavailable('the database does not answer in time')
    return {
      at: tools.clock.now().toISOString(),
      operator,
      processes: await readProcesses(tools),
      redis: redis(),
      providers: await troublesOf(span),
      liveCalls: facts.live,
      meterDueSeconds: facts.meterDueMs / 1000,
      jobs: {
        due: facts.jobsDue,
        later: facts.jobsLater,
        oldestSeconds: facts.oldestJobMs / 1000,
        givenUp: facts.mailsGivenUp,
      },
      books: { comparedAt: facts.comparedAt?.toISOString() ?? null, differences: facts.differences },
      pausedPrefixes: facts.pausedPrefixes,
      scarceBudgets: Object.entries(facts.budgets)
        .filter(([, used]) => used >= budgetAlertShare)
        .map(([kind, used]) => ({ kind, used })),
      lastHour: await readLastHour(tools),
      incidents: await incidentsOf(span),
      intervals: await intervalsOf(span),
      browsers: await browsersOf(span),
    }
  }
}

/** Caches each span; a query in progress is shared, however long it takes. */
function rememberBySpan<Answer>(
  clock: Clock,
  ask: (span: OpsSpan) => Promise<Answer>,
  fresh = freshMs,
): (span: OpsSpan) => Promise<Answer> {
  const known = new Map<OpsSpan, { readonly answer: Promise<Answer>; answeredAtMs: number | undefined }>()
  return async span => {
    const before = known.get(span)
    const { answeredAtMs } = before ?? {}
    if (
      before !== undefined &&
      (answeredAtMs === undefined || clock.monotonicMs() - answeredAtMs < fresh[span])
    )
      return before.answer
    const answer = ask(span)
    const asked: { answer: Promise<Answer>; answeredAtMs: number | undefined } = {
      answer,
      answeredAtMs: undefined,
    }
    known.set(span, asked)
    answer.then(
      () => {
        asked.answeredAtMs = clock.monotonicMs()
      },
      // Failures are not cached.
      () => known.delete(span),
    )
    return answer
  }
}

interface ProcessRow {
  readonly process: string
  readonly version: string
  readonly started_at: Date
  readonly at: Date
  readonly stopped: boolean
  readonly carried_calls: number
  readonly sockets: number
}

async function readProcesses({ db, clock }: Tools): Promise<OpsProcess[]> {
  const now = clock.now().getTime()
  const rows = await db.query<ProcessRow>(
    `select distinct on (process) process, version, started_at, at, stopped, carried_calls, sockets
     from ops_sample where at >= $1 order by process, at desc, id desc`,
    [new Date(now - shownMs)],
  )
  const stateOf = ({ stopped, at }: ProcessRow) => {
    if (stopped) return 'stopped'
    return now - at.getTime() > silentMs ? 'silent' : 'running'
  }
  return rows
    .map(
      row =>
        ({
          id: row.process,
          version: row.version,
          startedAt: row.started_at.toISOString(),
          seenAt: row.at.toISOString(),
          state: stateOf(row),
          calls: row.carried_calls,
          sockets: row.sockets,
        }) as const,
    )
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt))
}

interface TroubleRow {
  readonly name: string
  readonly errors: number
  readonly last: { readonly operation: string; readonly at: string }
}

async function readTroubles({ db, clock }: Tools, span: OpsSpan): Promise<OpsOverview['providers']> {
  const rows = await db.query<TroubleRow>(
    `select key as name, sum((value->>'errors')::int)::int as errors,
       (array_agg(value order by value->>'at' desc))[1] as last
     from ops_sample, jsonb_each(providers) where at >= $1 group by key order by key`,
    [beginningOf(span, clock.now())],
  )
  return rows.map(({ name, errors, last }) => ({
    name,
    errors,
    lastOperation: last.operation,
    lastAt: last.at,
  }))
}
