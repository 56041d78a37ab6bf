import type { OpsIncident, OpsOverview, OpsSpan } from '#lib/api/ops.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import { samplePauseMs } from '../observability/samples.ts'
import { beginningOf } from './intervals.ts'

type Tools = Pick<Services, 'db' | 'clock'>

/** A minute charged later than this is listed; the alert rules wait longer. */
const lateMs = 2000
/** Events closer together than this are one incident. */
const lullMs = 5 * minuteMs
const maxShown = 20

/** One sample of one process about one minute. `size`: milliseconds for the meter, else a count. */
interface Row {
  readonly kind: OpsIncident['kind']
  /** Empty if no provider is involved. */
  readonly provider: string
  readonly at: Date
  readonly size: number
}

interface Open {
  readonly kind: Row['kind']
  readonly provider: string
  readonly fromMs: number
  toMs: number
  size: number
}

export async function readIncidents({ db, clock }: Tools, span: OpsSpan): Promise<OpsIncident[]> {
  const rows = await db.query<Row>(
    `select 'meter_late' as kind, '' as provider, at, meter_lag_ms as size
       from ops_sample where at >= $1 and meter_lag_ms > $2
     union all select 'webhooks_refused', '', at, webhook_failures from ops_sample where at >= $1 and webhook_failures > 0
     union all select 'provider_errors', key, at, (value->>'errors')::bigint
       from ops_sample, jsonb_each(providers) where at >= $1
     order by at`,
    [beginningOf(span, clock.now()), lateMs],
  )
  const incidents: Open[] = []
  const latest = new Map<string, Open>()
  for (const row of rows) {
    const name = `${row.kind} ${row.provider}`
    const before = latest.get(name)
    const atMs = row.at.getTime()
    if (before !== undefined && atMs - before.toMs <= lullMs) {
      before.toMs = atMs
      before.size = row.kind === 'meter_late' ? Math.max(before.size, row.size) : before.size + row.size
    } else {
      const { kind, provider, size } = row
      // A sample covers the time since the previous one.
      const begun: Open = { kind, provider, fromMs: atMs - samplePauseMs, toMs: atMs, size }
      latest.set(name, begun)
      incidents.push(begun)
    }
  }
  return incidents
    .sort((one, other) => other.toMs - one.toMs)
    .slice(0, maxShown)
    .map(present)
}

function present({ kind, provider, fromMs, toMs, size }: Open): OpsIncident {
  const when = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  switch (kind) {
    case 'meter_late':
      return { kind, ...when, worstSeconds: size / 1000 }
    case 'webhooks_refused':
      return { kind, ...when, failures: size }
    case 'provider_errors':
      return { kind, ...when, provider, errors: size }
    default:
      return kind satisfies never
  }
}

export async function readLastHour({ db, clock }: Tools): Promise<OpsOverview['lastHour']> {
  const [row] = await db.query<OpsOverview['lastHour']>(
    `select coalesce(sum(webhook_failures), 0)::int as "webhookFailures",
       coalesce(sum((select coalesce(sum((value->>'errors')::int), 0) from jsonb_each(providers))), 0)::int as "providerErrors"
     from ops_sample where at >= $1`,
    [beginningOf('hour', clock.now())],
  )
  return row ?? { webhookFailures: 0, providerErrors: 0 }
}
