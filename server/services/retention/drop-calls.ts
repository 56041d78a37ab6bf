import type { Db } from '../../db/port.ts'
import type { Services } from '../context.ts'
import { isolated } from './isolated.ts'

/** Calls that one transaction drops: few, since others wait for what it locks. */
const batch = 200
/** Batches in one turn: the rest waits for the next, so that others are served in between. */
const mostBatches = 50
const dayMs = 24 * 3600_000
/** So long an answered free call counts, so that nobody has another one by a new account (decision 20). */
const freeCallMs = 30 * dayMs

/** Any that is older than the owner's limit. */
const old = `select id from call where state = 'ended' and placed_at < $1 order by placed_at limit ${batch}
  for update skip locked`

/** Of deleted accounts: once they count for no limit any more. */
const ofDeleted = `select call.id from app_user join call on call.user_id = app_user.id
  where deleted_at is not null and call.state = 'ended'
    and placed_at < case when free and answered_at is not null then $1::timestamptz else $2::timestamptz end
  limit ${batch} for update of call skip locked`

/**
 * Drops call records that are too old, and those of deleted accounts: the numbers, the times, all of them. The ledger keeps
 * what they cost, without whom they went to. Any number of processes may run it; one at a time does.
 * @returns how many were dropped
 */
export async function dropCalls(services: Services): Promise<number> {
  const now = services.clock.now().getTime()
  const before = (ms: number) => new Date(now - ms)
  const byAge = await isolated(services, { step: 'old calls' }, () =>
    dropAll(services.db, old, [before(services.policy.callRecordsDays * dayMs)]),
  )
  const orphaned = await isolated(services, { step: 'calls of deleted accounts' }, () =>
    dropAll(services.db, ofDeleted, [before(freeCallMs), before(dayMs)]),
  )
  return (byAge ?? 0) + (orphaned ?? 0)
}

async function dropAll(db: Db, choice: string, parameters: readonly Date[]): Promise<number> {
  let dropped = 0
  for (let turn = 0; turn < mostBatches; turn += 1) {
    const count = await db.transaction(tx => dropBatch(tx, choice, parameters))
    dropped += count
    if (count < batch) break
  }
  return dropped
}

/** Locks in the one order: call, meter. */
async function dropBatch(tx: Db, choice: string, parameters: readonly Date[]): Promise<number> {
  // Two at once would wait for each other where both change the same sums of a history.
  const [turn] = await tx.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('dropping calls', 0)) as mine`,
  )
  if (turn?.mine !== true) return 0
  const ids = (await tx.query<{ id: string }>(choice, parameters)).map(({ id }) => id)
  if (ids.length === 0) return 0
  // What was said of the call stays, without the call.
  await tx.query('update feedback set call_id = null where call_id = any($1::uuid[])', [ids])
  await tx.query('delete from call_meter where call_id = any($1::uuid[])', [ids])
  await tx.query('delete from call where id = any($1::uuid[])', [ids])
  return ids.length
}
