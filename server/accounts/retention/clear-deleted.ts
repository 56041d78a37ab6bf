import { dayMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { lockUser } from '../../identity/users.ts'
import { enqueue } from '../../jobs/queue.ts'
import { eraseBelongings } from '../deletion/erase.ts'
import { formerAddressDays } from '../deletion/former-address.ts'
import { giveUpBalance } from '../deletion/give-up.ts'
import { dropCallsOf } from './drop-calls.ts'
import { isolated } from './isolated.ts'

/** Requests in progress during a deletion have ended by then. */
export const firstClearingMs = 10 * minuteMs
/** The breaker looks back a day, so it no longer needs the account's calls. */
export const lastClearingMs = dayMs
const batch = 100

interface Due {
  readonly id: string
  readonly last: boolean
}

/**
 * Clears each deleted account twice: first what requests in progress wrote and credits that arrived since, a day later
 * also its calls. Failures are retried by the next run and do not stop the rest.
 * @returns how many accounts were cleared
 */
export async function clearDeletedAccounts(services: Services): Promise<number> {
  const { db, clock } = services
  const now = clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await db.query(
    'update app_user set former_address = null where deleted_at < $1 and former_address is not null',
    [ago(formerAddressDays * dayMs)],
  )
  const due = await db.query<Due>(
    `select id, deleted_at <= $2 as last from app_user
     where deleted_at <= $1 and clearings < 2 and (clearings = 0 or deleted_at <= $2) order by deleted_at limit ${batch}`,
    [ago(firstClearingMs), ago(lastClearingMs)],
  )
  let cleared = 0
  for (const account of due) {
    const done = await isolated(services, { userId: account.id }, () => clear(services, account, now))
    if (done === true) cleared += 1
  }
  return cleared
}

/** @returns false if part of the work is left to another run */
async function clear(services: Services, { id, last }: Due, now: Date): Promise<boolean> {
  if (last && !(await dropCallsOf(services.db, id))) return false
  await removeWhatCameLater(services, id, now)
  await services.db.query('update app_user set clearings = $2 where id = $1', [id, last ? 2 : 1])
  return true
}

/** Gives up late credits of deleted accounts: failed refunds, won disputes, payments completed after all. */
export async function giveUpLateCredits(services: Services): Promise<void> {
  const { db, clock } = services
  const due = await db.query<{ id: string }>(
    `select app_user.id from app_user join account on account.user_id = app_user.id
     where deleted_at is not null and clearings = 2 and balance > 0`,
  )
  for (const { id } of due)
    await isolated(services, { userId: id }, () => removeWhatCameLater(services, id, clock.now()))
}

async function removeWhatCameLater({ db, log }: Services, id: string, now: Date): Promise<void> {
  const givenUp = await db.transaction(async tx => {
    await lockUser(tx, id)
    const card = await eraseBelongings(tx, id, now)
    if (card !== undefined) await enqueue(tx, { kind: 'forget_card', card }, now)
    return giveUpBalance(tx, id, now)
  })
  // If it was paid after the deletion, support may want to refund it.
  if (givenUp > 0)
    log.error({ userId: id, givenUp }, 'a deleted account received credits, which were given up')
}
