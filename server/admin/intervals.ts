import type { CallGroup, CallOutcome } from '#lib/api/calls.ts'
import type { OpsInterval, OpsSpan } from '#lib/api/ops.ts'
import { callGroups } from '#lib/calls/call-filter.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { hourMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'

const minute = { unit: 'minute', ms: minuteMs } as const
const hour = { unit: 'hour', ms: hourMs } as const
const cuts = {
  hour: { ...minute, count: 60 },
  day: { ...hour, count: 24 },
  week: { ...hour, count: 168 },
} as const satisfies Record<OpsSpan, unknown>

const groupOf = new Map<CallOutcome, CallGroup>(
  (Object.keys(callGroups) as CallGroup[]).flatMap(group =>
    callGroups[group].map(outcome => [outcome, group] as const),
  ),
)

export function beginningOf(span: OpsSpan, now: Date): Date {
  const { ms, count } = cuts[span]
  const thisOne = Math.floor(now.getTime() / ms) * ms
  return new Date(thisOne - (count - 1) * ms)
}

interface CallsRow {
  readonly begun: Date
  readonly outcome: CallOutcome
  readonly calls: number
  readonly answered: number
  readonly talked_ms: number
  readonly set_up_ms: number
  readonly cost: number
}
interface PaidRow {
  readonly begun: Date
  readonly amount_micro_usd: number
}
interface SampleRow {
  readonly begun: Date
  readonly lag_ms: number
  readonly jobs_due: number
  readonly webhook_failures: number
  readonly provider_errors: number
}

/** All intervals of a span, oldest first, including empty ones. Money in USD. */
export async function readIntervals(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  span: OpsSpan,
): Promise<OpsInterval[]> {
  const { unit, ms, count } = cuts[span]
  const from = beginningOf(span, clock.now())
  const calls = await db.query<CallsRow>(
    `select date_trunc($2, placed_at, 'UTC') as begun, outcome, count(*)::int as calls,
       count(answered_ms)::int as answered, coalesce(sum(answered_ms), 0)::bigint as talked_ms,
       coalesce(sum(extract(epoch from answered_at - placed_at) * 1000), 0)::bigint as set_up_ms,
       sum(cost)::bigint as cost
     from call where state = 'ended' and placed_at >= $1 group by 1, 2`,
    [from, unit],
  )
  const paid = await db.query<PaidRow>(
    `select date_trunc($2, paid_at, 'UTC') as begun, sum(amount)::bigint as amount_micro_usd
     from payment where paid_at is not null and paid_at >= $1 group by 1`,
    [from, unit],
  )
  const samples = await db.query<SampleRow>(
    `select date_trunc($2, at, 'UTC') as begun, max(meter_lag_ms)::bigint as lag_ms, max(jobs_due)::bigint as jobs_due,
       sum(webhook_failures)::int as webhook_failures,
       sum((select coalesce(sum((value->>'errors')::int), 0) from jsonb_each(providers)))::int as provider_errors
     from ops_sample where at >= $1 group by 1`,
    [from, unit],
  )
  const callsBy = Map.groupBy(calls, ({ begun }) => begun.getTime())
  const paidBy = new Map(paid.map(row => [row.begun.getTime(), row]))
  const samplesBy = new Map(samples.map(row => [row.begun.getTime(), row]))
  return Array.from({ length: count }, (_, index) => {
    const at = from.getTime() + index * ms
    return presentInterval(at, callsBy.get(at) ?? [], paidBy.get(at), samplesBy.get(at))
  })
}

function presentInterval(
  at: number,
  rows: readonly CallsRow[],
  paid: PaidRow | undefined,
  sample: SampleRow | undefined,
): OpsInterval {
  const sum = (part: (row: CallsRow) => number) => rows.reduce((total, row) => total + part(row), 0)
  const answered = sum(row => row.answered)
  const perAnswer = (ms: number) => (answered === 0 ? null : ms / answered / 1000)
  const calls: Partial<Record<CallGroup, number>> = {}
  for (const { outcome, calls: count } of rows) {
    const group = groupOf.get(outcome)
    if (group !== undefined) calls[group] = (calls[group] ?? 0) + count
  }
  return {
    at: new Date(at).toISOString(),
    calls,
    answered,
    callSeconds: perAnswer(sum(row => row.talked_ms)),
    setUpSeconds: perAnswer(sum(row => row.set_up_ms)),
    charged: microUsdToUsd(sum(row => row.cost)),
    toppedUp: microUsdToUsd(paid?.amount_micro_usd ?? 0),
    meterLagSeconds: sample === undefined ? null : sample.lag_ms / 1000,
    jobsDue: sample?.jobs_due ?? null,
    webhookFailures: sample?.webhook_failures ?? 0,
    providerErrors: sample?.provider_errors ?? 0,
  }
}
