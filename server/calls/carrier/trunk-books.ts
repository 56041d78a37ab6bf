import { minMeasuredSeconds } from '#lib/api/call-quality.ts'
import type { Db } from '../../db/port.ts'
import type { CarrierAttempt, CarrierResults, TrunkBooks } from '../../telephony/trunk/trunk-books.ts'

export function trunkBooks(db: Db): TrunkBooks {
  return {
    record: attempt => recordAttempt(db, attempt),
    resultsSince: since => resultsSince(db, since),
  }
}

async function recordAttempt(db: Db, one: CarrierAttempt): Promise<void> {
  await db.query(
    'insert into carrier_attempt (call_id, attempt, carrier, cost, began_at, outcome) values ($1, $2, $3, $4, $5, $6)',
    [one.callId, one.attempt, one.carrier, one.costMicroUsd, one.beganAt, one.outcome],
  )
}

/** A call without any sound from the callee has the worst score, whatever the page measured of its own sound. */
async function resultsSince(db: Db, since: Date): Promise<readonly CarrierResults[]> {
  const rows = await db.query<Omit<CarrierResults, 'mos'> & { mos: number | null }>(
    `select carrier, count(*)::int as attempts, count(*) filter (where outcome = 'answered')::int as answered,
       count(score)::int as measured, avg(score) as mos
     from carrier_attempt tried left join lateral (
       select case when seconds >= $2 and heard_seconds = 0 then 1 else mos end as score
       from call_quality where call_id = tried.call_id and tried.outcome = 'answered') sound on true
     where began_at >= $1 and outcome <> 'not_placed' group by carrier`,
    [since, minMeasuredSeconds],
  )
  return rows.map(({ mos, ...row }) => ({ ...row, mos: mos ?? undefined }))
}
