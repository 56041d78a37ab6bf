import { failure, type Result, success } from '#lib/result.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { audit } from '../../observability/audit.ts'
import { type CdrFile, readCdrFile } from './cdr-file.ts'
import { type CdrComparison, compareCdrs, type OwnCall, timeToleranceMs } from './compare-cdrs.ts'

export interface CdrRequest {
  /** Contents of the file. */
  readonly cdrs: string
  /** Its name in the trunk file. */
  readonly carrier: string
  readonly actor: string
}

export interface CdrReport extends CdrComparison {
  readonly faults: CdrFile['faults']
}

/** How long before its answer a call may have been placed; the edge lets none ring for longer than 90 s. */
const longestRingMs = 5 * minuteMs

/** Compares a carrier's records with our calls. The audit log has the counts alone: no numbers. */
export async function compareCarrierCdrs(
  { db, clock }: Services,
  { cdrs, carrier, actor }: CdrRequest,
): Promise<Result<CdrReport, 'unreadable' | 'unknown_carrier'>> {
  const file = tryToRead(cdrs)
  if (file === undefined) return failure('unreadable')
  return db.transaction(async tx => {
    const [known] = await tx.query('select 1 from carrier_attempt where carrier = $1 limit 1', [carrier])
    if (known === undefined) return failure('unknown_carrier')
    const comparison = compareCdrs(file, await callsOf(tx, carrier, file))
    const { records, calls, onlyCarrier, onlyOurs, durations, costs } = comparison
    const differences =
      onlyCarrier.length + onlyOurs.length + durations.length + costs.length + file.faults.length
    const detail = { carrier, records, calls, differences }
    await audit(tx, { at: clock.now(), actor, action: 'carrier_cdrs', subject: 'books', detail })
    return success({ ...comparison, faults: file.faults })
  })
}

/** Live calls have no record yet. */
async function callsOf(db: Db, carrier: string, { records }: CdrFile): Promise<readonly OwnCall[]> {
  const first = records.reduce((ms, { atMs }) => Math.min(ms, atMs), Number.POSITIVE_INFINITY)
  const last = records.reduce((ms, { atMs }) => Math.max(ms, atMs), 0)
  const rows = await db.query<
    Pick<OwnCall, 'callId' | 'number' | 'answeredMs' | 'costMicroUsd'> & {
      readonly began_at: Date
      readonly answered_at: Date
    }
  >(
    `select call_id as "callId", to_number as number, answered_ms as "answeredMs",
       carrier_attempt.cost as "costMicroUsd", began_at, answered_at
     from carrier_attempt join call on call.id = call_id
     where carrier = $1 and carrier_attempt.outcome = 'answered' and state = 'ended' and answered_ms is not null
       and began_at between $2 and $3
     order by answered_at, call_id`,
    [carrier, new Date(first - timeToleranceMs - longestRingMs), new Date(last + timeToleranceMs)],
  )
  return rows.map(({ began_at, answered_at, ...call }) => ({
    ...call,
    beganAtMs: began_at.getTime(),
    answeredAtMs: answered_at.getTime(),
  }))
}

function tryToRead(cdrs: string): CdrFile | undefined {
  try {
    return readCdrFile(cdrs)
  } catch {
    return undefined
  }
}
