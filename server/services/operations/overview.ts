import type { OpsHour, OpsOverview, OpsProcess, OpsSpan } from '#lib/api/ops.ts'
import { readFacts } from '../../observability/facts.ts'
import { samplePauseMs } from '../../observability/samples.ts'
import type { Services } from '../context.ts'
import { beginningOf, readHours } from './hours.ts'

type Tools = Pick<Services, 'db' | 'clock'>

/** A process that writes once a minute and has missed two is silent. */
const silentMs = 2.5 * samplePauseMs
/** So long one that is gone is still shown. */
const shownMs = 3600_000
/** The hours behind us change little: however many operators look, they are summed up so often. */
const freshMs: Readonly<Record<OpsSpan, number>> = { day: 10_000, week: 60_000 }

/** @param redisReady undefined: none is configured */
export function createOverview(
  tools: Tools,
  redisReady: (() => boolean) | undefined,
): (span: OpsSpan, operator: string) => Promise<OpsOverview> {
  const hoursOf = rememberHours(tools)
  const redis = () => {
    if (redisReady === undefined) return 'not_configured'
    return redisReady() ? 'answers' : 'away'
  }
  return async (span, operator) => {
    const facts = await readFacts(tools.db, tools.clock)
    return {
      at: tools.clock.now().toISOString(),
      operator,
      processes: await readProcesses(tools),
      redis: redis(),
      providers: await readTroubles(tools, span),
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
      hours: await hoursOf(span),
    }
  }
}

function rememberHours(tools: Tools): (span: OpsSpan) => Promise<OpsHour[]> {
  const known = new Map<OpsSpan, { readonly atMs: number; readonly hours: Promise<OpsHour[]> }>()
  return async span => {
    const nowMs = tools.clock.monotonicMs()
    const before = known.get(span)
    if (before !== undefined && nowMs - before.atMs < freshMs[span]) return before.hours
    const hours = readHours(tools, span)
    known.set(span, { atMs: nowMs, hours })
    // What failed is not remembered.
    hours.catch(() => known.delete(span))
    return hours
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

/** Those that wrote something within the last hour, the latest first. */
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
