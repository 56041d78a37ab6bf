import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { isolated } from './isolated.ts'

/** Calls per transaction; small, because others wait for its locks. */
const batch = 200
/** Max batches per run, so that others are served in between. */
const maxBatches = 50

const old = `select id from call where state = 'ended' and placed_at < $1 order by placed_at limit ${batch}
  for update skip locked`

const ofUser = `select id from call where user_id = $1 and state = 'ended' order by placed_at desc, id desc limit ${batch}
  for update skip locked`

/** The ledger keeps what dropped calls cost, without the callee. One process works at a time. @returns how many */
export async function dropCalls(services: Services): Promise<number> {
  const since = new Date(services.clock.now().getTime() - services.policy.callRecordsDays * dayMs)
  return (await isolated(services, { step: 'old calls' }, () => dropAll(services.db, old, [since]))) ?? 0
}

/** Drops the calls of a deleted account. @returns whether none is left; another process may be dropping calls now */
export async function dropCallsOf(db: Db, userId: string): Promise<boolean> {
  await dropAll(db, ofUser, [userId])
  const left = await db.query('select 1 from call where user_id = $1 limit 1', [userId])
  return left.length === 0
}

async function dropAll(db: Db, choice: string, parameters: readonly (Date | string)[]): Promise<number> {
  let dropped = 0
  for (let turn = 0; turn < maxBatches; turn += 1) {
    const count = await db.transaction(tx => dropBatch(tx, choice, parameters))
    dropped += count
    if (count < batch) break
  }
  return dropped
}

/** Lock order: call, meter. */
async function dropBatch(tx: Db, choice: string, parameters: readonly (Date | string)[]): Promise<number> {
  // Two at once would deadlock when both change the same totals of a history.
  const [turn] = await tx.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('dropping calls', 0)) as mine`,
  )
  if (turn?.mine !== true) return 0
  const ids = (await tx.query<{ id: string }>(choice, parameters)).map(({ id }) => id)
  if (ids.length === 0) return 0
  // Feedback stays, without its call.
  await tx.query('update feedback set call_id = null where call_id = any($1::uuid[])', [ids])
  await tx.query('delete from call_meter where call_id = any($1::uuid[])', [ids])
  await tx.query('delete from call where id = any($1::uuid[])', [ids])
  return ids.length
}
