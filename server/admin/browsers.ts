import { minMeasuredSeconds } from '#lib/api/call-quality.ts'
import type { OpsBrowser, OpsSpan } from '#lib/api/ops.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import { beginningOf } from './intervals.ts'

interface BrowserRow extends Omit<OpsBrowser, 'setUpSeconds'> {
  readonly median: number | null
  readonly ninetieth: number | null
}

/**
 * Ended calls of a span by the browser they were placed from, the most frequent first: a row for each engine and
 * system. Calls whose browser is not known are left out. `silent` is what a page reported, unchecked, of calls that it
 * measured long enough; `dropped` are answered calls that lost their connection.
 */
export async function readBrowsers(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  span: OpsSpan,
): Promise<OpsBrowser[]> {
  const from = beginningOf(span, clock.now())
  const rows = await db.query<BrowserRow>(
    `select engine, system, min(engine_version) as "oldestVersion", max(engine_version) as "newestVersion",
       count(*)::int as calls, count(answered_ms)::int as answered,
       (count(*) filter (where answered_ms is not null and outcome = 'connection_lost'))::int as dropped,
       (count(*) filter (where seconds >= $2))::int as measured,
       (count(*) filter (where seconds >= $2 and heard_seconds = 0))::int as silent,
       percentile_cont(0.5) within group (order by extract(epoch from answered_at - placed_at)::float8) as median,
       percentile_cont(0.9) within group (order by extract(epoch from answered_at - placed_at)::float8) as ninetieth
     from call left join call_quality on call_id = call.id and call_id >= $3
     where state = 'ended' and placed_at >= $1 and engine is not null
     group by engine, system order by calls desc, engine, system`,
    [from, minMeasuredSeconds, callIdBefore(from)],
  )
  return rows.map(({ median, ninetieth, ...row }) => ({
    ...row,
    setUpSeconds: median === null || ninetieth === null ? null : { median, ninetieth },
  }))
}

/**
 * Below the ids of all calls placed since, which begin with their time: so that the measurements of a year are not read
 * for those of a day. A call gets its id shortly before its time.
 */
function callIdBefore(placedAt: Date): string {
  const ms = (placedAt.getTime() - minuteMs).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
