import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { budgetKinds, defaultBudgets } from '../limits/budget-policy.ts'
import type { Facts } from './facts.ts'
import { type Observation, type Observer, securityEvents } from './port.ts'
import { createQualityMeters } from './quality-meters.ts'

export interface MetricSources {
  /** Null while the database does not answer. */
  readonly facts: () => Promise<Facts | null>
  readonly process: () => ProcessFacts
  readonly version: string
}

export interface ProcessFacts {
  readonly calls: number
  readonly sockets: number
  /** Undefined: the embedded database, which has no pool. */
  readonly pool: { readonly busy: number; readonly waiting: number; readonly size: number } | undefined
  /** Undefined: not configured. */
  readonly redisReady: boolean | undefined
  /** Bytes on the data directory's disk; undefined if unknown. */
  readonly disk: { readonly free: number; readonly size: number } | undefined
  /** Unix seconds; undefined: unknown, or no certificate. */
  readonly certificateEndsAt: number | undefined
  /** Prepaid balance at the carrier, in US dollars; undefined: none, or unknown. */
  readonly prepaidUsd: number | undefined
}

export interface Metrics {
  readonly contentType: string
  readonly observe: Observer
  /** In Prometheus's text format. */
  read(): Promise<string>
  names(): string[]
  labels(): ReadonlyMap<string, readonly string[]>
}

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const setUpSeconds = [0.25, 0.5, 1, 2, 3, 5, 8, 12, 20, 30, 60]
const callDurationBuckets = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]
const lagSeconds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300]

/** Metrics in a registry of its own, by Prometheus's conventions: base units in the names, few and known labels. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const observe = createCounters(registry)
  const look = createGauges(registry, sources.version)
  return {
    contentType: registry.contentType,
    observe,
    read: async () => {
      look(await sources.facts(), sources.process())
      return registry.metrics()
    },
    labels: () =>
      new Map(
        registry.getMetricsAsArray().flatMap(metric => {
          const own = 'labelNames' in metric ? (metric.labelNames as string[]) : []
          return namesOf(metric.name, String(metric.type)).map(name => [name, own] as const)
        }),
      ),
    names: () => registry.getMetricsAsArray().flatMap(({ name, type }) => namesOf(name, String(type))),
  }
}

function namesOf(name: string, type: string): string[] {
  if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`]
  return type === 'summary' ? [name, `${name}_sum`, `${name}_count`] : [name]
}

function createCounters(registry: Registry): Observer {
  const tools = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) => ({
    name: `farline_${name}`,
    help,
    labelNames,
    registers: [registry],
  })
  const requests = new Counter(
    tools('http_requests_total', 'Requests answered', ['method', 'route', 'status']),
  )
  const requestTime = new Histogram({
    ...tools('http_request_duration_seconds', 'Time until a request was answered', [
      'method',
      'route',
      'status',
    ]),
    buckets: requestSeconds,
  })
  const attempts = new Counter(
    tools('call_attempts_total', 'Attempts to call: connected, or why they were refused', ['result']),
  )
  // Present from the start, so that no calls show as a rate of 0 and not as no data.
  attempts.inc({ result: 'connected' }, 0)
  const tokens = new Counter(tools('voice_tokens_total', 'Voice tokens issued to pages'))
  const ended = new Counter(tools('calls_ended_total', 'Calls that have ended', ['outcome']))
  const seizures = new Counter(tools('call_seizures_total', 'Ended calls that were sent to the network'))
  const answers = new Counter(tools('call_answers_total', 'Ended calls that were answered'))
  const talked = new Histogram({
    ...tools('call_duration_seconds', 'Time from answer to end'),
    buckets: callDurationBuckets,
  })
  const setUp = new Histogram({
    ...tools('call_setup_seconds', 'Time from placing a call until it rang or was answered', ['until']),
    buckets: setUpSeconds,
  })
  const recordsDiffer = new Counter(
    tools('call_records_differ_total', "Settled calls that the edge's record has longer or shorter", [
      'edge_has',
    ]),
  )
  for (const edge_has of ['more', 'less']) recordsDiffer.inc({ edge_has }, 0)
  const money = new Counter(
    tools(
      'charges_micro_usd_total',
      'Micro-dollars: minutes metered, calls settled, payments paid (top_up) and refunded, refunds for calls (credited)',
      ['kind'],
    ),
  )
  const lag = new Histogram({
    ...tools('meter_lag_seconds', 'How long after it began a minute was charged'),
    buckets: lagSeconds,
  })
  const scores = new Histogram({
    ...tools('feedback_score', 'How callers rate their calls, 1 to 5'),
    buckets: [1, 2, 3, 4, 5],
  })
  const issues = new Counter(tools('feedback_issues_total', 'What callers complain about', ['issue']))
  const credits = new Counter(
    tools('call_credits_total', 'Refunds for bad calls: automatic, or claimed', ['reason']),
  )
  const measured = createQualityMeters(registry)
  const asked = new Histogram({
    ...tools('provider_request_duration_seconds', 'Our requests to providers', ['provider', 'operation']),
    buckets: requestSeconds,
  })
  const errors = new Counter(
    tools('provider_errors_total', 'Requests to providers that failed', ['provider', 'operation']),
  )
  const webhooks = new Counter(
    tools('webhook_failures_total', 'Provider events that were rejected', ['provider', 'reason']),
  )
  const refusedByBudget = new Counter(
    tools('budget_refusals_total', 'Actions refused because a budget is used up', ['kind', 'per']),
  )
  // Present from the start: Prometheus sees no increase in a series that appears with its first rejection.
  for (const kind of budgetKinds)
    for (const { per } of defaultBudgets[kind]) refusedByBudget.inc({ kind, per }, 0)
  const security = new Counter(
    tools('security_events_total', 'Events that may be attempts to break into accounts', ['event']),
  )
  for (const event of securityEvents) security.inc({ event }, 0)
  const jobs = new Counter(tools('job_failures_total', 'Attempts at a job that failed', ['kind', 'gave_up']))
  const work = new Counter(tools('worker_failures_total', 'Worker runs that failed', ['work']))

  return (seen: Observation) => {
    switch (seen.kind) {
      case 'call_placed':
        return attempts.inc({ result: seen.rejection ?? 'connected' })
      case 'voice_token_issued':
        return tokens.inc()
      case 'call_ringing':
        return setUp.observe({ until: 'ringing' }, seconds(seen.afterMs))
      case 'call_answered':
        return setUp.observe({ until: 'answer' }, seconds(seen.afterMs))
      case 'call_ended':
        ended.inc({ outcome: seen.outcome })
        seizures.inc()
        money.inc({ kind: 'settled' }, seen.costMicroUsd)
        if (seen.answeredMs === null) return
        answers.inc()
        return talked.observe(seconds(seen.answeredMs))
      case 'call_record_differs':
        return recordsDiffer.inc({ edge_has: seen.edgeHas })
      case 'minute_charged':
        money.inc({ kind: 'metered' }, seen.microUsd)
        return lag.observe(seconds(seen.lagMs))
      case 'payment_paid':
        return money.inc({ kind: 'top_up' }, seen.microUsd)
      case 'payment_refunded':
        return money.inc({ kind: 'refunded' }, seen.microUsd)
      case 'call_credited':
        credits.inc({ reason: seen.reason })
        return money.inc({ kind: 'credited' }, seen.microUsd)
      case 'call_measured':
        return measured(seen)
      case 'feedback':
        if (seen.issue !== null) issues.inc({ issue: seen.issue })
        return scores.observe(seen.score)
      case 'provider_asked': {
        const { provider, operation } = seen
        if (seen.failed) errors.inc({ provider, operation })
        return asked.observe({ provider, operation }, seconds(seen.ms))
      }
      case 'webhook_refused':
        return webhooks.inc({ provider: seen.provider, reason: seen.reason })
      case 'budget_refused':
        return refusedByBudget.inc({ kind: seen.budget, per: seen.per })
      case 'security_event':
        return security.inc({ event: seen.event })
      case 'job_failed':
        return jobs.inc({ kind: seen.job, gave_up: String(seen.gaveUp) })
      case 'work_failed':
        return work.inc({ work: seen.work })
      case 'request_answered': {
        const { method, route, status } = seen
        const labels = { method, route, status: `${Math.floor(status / 100)}xx` }
        requests.inc(labels)
        return requestTime.observe(labels, seconds(seen.ms))
      }
      default:
        return seen satisfies never
    }
  }
}

/** Clocks of several machines differ a little; never negative. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1000
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}

function createGauges(
  registry: Registry,
  version: string,
): (facts: Facts | null, process: ProcessFacts) => void {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `farline_${name}`, help, labelNames, registers: [registry] })
  gauge('build_info', 'What runs', ['version']).set({ version }, 1)
  const databaseUp = gauge('database_up', '1: the database answers, and takes changes')
  const live = gauge('live_calls', 'Calls in progress, in all processes', ['state'])
  const carried = gauge('carried_calls', 'Calls carried by this process')
  const sockets = gauge('sockets', 'Pages connected to this process for live updates')
  const due = gauge('meter_oldest_due_seconds', 'How long the oldest uncharged minute has been due')
  const jobs = gauge('jobs', 'Pending jobs: due now, or later', ['state'])
  const oldestJob = gauge('jobs_oldest_due_seconds', 'How long the oldest pending job has been due')
  const givenUp = gauge('mails_given_up', 'E-mails given up on in the last 24 hours')
  const differences = gauge(
    'reconciliation_differences',
    'Differences found by the last comparison of the books',
  )
  const compared = gauge('reconciliation_timestamp_seconds', 'When the books were last compared')
  const paused = gauge('breaker_open_prefixes', 'Prefixes with calls paused')
  const budgets = gauge('budget_used_ratio', "Share of the day's budget that is used, 0 to 1", ['kind'])
  const clock = gauge('clock_offset_seconds', "This machine's clock minus the database's")
  const pool = gauge('database_sessions', 'Database connections: in use, or the maximum', ['state'])
  const waiting = gauge('database_waiting', 'Work waiting for a database connection')
  const redisUp = gauge('redis_up', '1: Redis answers. Missing where none is configured')
  const free = gauge('disk_free_bytes', 'Free space on the disk with the data directory')
  const size = gauge('disk_size_bytes', 'Size of the disk with the data directory')
  const certificate = gauge(
    'certificate_expiry_timestamp_seconds',
    'When the certificate of the public address expires',
  )
  const prepaid = gauge('prepaid_usd', 'Balance left with the voice vendor')
  const set = (to: Gauge, value: number | undefined) => {
    if (value === undefined) to.remove()
    else to.set(value)
  }
  return (facts, process) => {
    databaseUp.set(facts === null ? 0 : 1)
    // An unknown value is missing rather than 0.
    live.reset()
    jobs.reset()
    budgets.reset()
    if (facts !== null) {
      for (const [kind, used] of Object.entries(facts.budgets)) budgets.set({ kind }, used)
      for (const state of ['placed', 'ringing', 'answered'] as const) live.set({ state }, facts.live[state])
      jobs.set({ state: 'due' }, facts.jobsDue)
      jobs.set({ state: 'later' }, facts.jobsLater)
    }
    set(due, inSeconds(facts?.meterDueMs))
    set(oldestJob, inSeconds(facts?.oldestJobMs))
    set(givenUp, facts?.mailsGivenUp)
    set(differences, facts?.differences ?? undefined)
    set(compared, inSeconds(facts?.comparedAt?.getTime()))
    set(paused, facts?.pausedPrefixes)
    set(clock, inSeconds(facts?.clockOffsetMs))
    carried.set(process.calls)
    sockets.set(process.sockets)
    pool.reset()
    set(waiting, process.pool?.waiting)
    if (process.pool !== undefined) {
      pool.set({ state: 'lent' }, process.pool.busy)
      pool.set({ state: 'most' }, process.pool.size)
    }
    set(redisUp, process.redisReady === undefined ? undefined : Number(process.redisReady))
    set(free, process.disk?.free)
    set(size, process.disk?.size)
    set(certificate, process.certificateEndsAt)
    set(prepaid, process.prepaidUsd)
  }
}
