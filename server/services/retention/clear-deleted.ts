import { enqueue } from '../../jobs/queue.ts'
import type { Services } from '../context.ts'
import { eraseBelongings } from '../delete-account/erase.ts'
import { formerAddressDays } from '../delete-account/former-address.ts'
import { giveUpBalance } from '../delete-account/give-up.ts'
import { lockUser } from '../users.ts'

const dayMs = 24 * 3600_000
/** Accounts looked at in one turn. */
const batch = 100

/**
 * Sees to deleted accounts once more: what a request that was under way during the deletion has written is removed, and
 * credits that arrived afterwards, by a refund that failed or a payment that was made all the same, are given up as well.
 * @returns how many accounts were seen to
 */
export async function clearDeletedAccounts(services: Services): Promise<number> {
  const { db, clock, log } = services
  const now = clock.now()
  await db.query(
    'update app_user set former_address = null where deleted_at < $1 and former_address is not null',
    [new Date(now.getTime() - formerAddressDays * dayMs)],
  )
  const due = await db.query<{ id: string }>(
    `select app_user.id from app_user join account on account.user_id = app_user.id
     where deleted_at is not null and (balance > 0 or deleted_at > $1) order by deleted_at limit ${batch}`,
    [new Date(now.getTime() - 2 * dayMs)],
  )
  for (const { id } of due) {
    const givenUp = await db.transaction(async tx => {
      await lockUser(tx, id)
      const card = await eraseBelongings(tx, id, now)
      if (card !== undefined) await enqueue(tx, { kind: 'forget_card', card }, now)
      return giveUpBalance(tx, id, now)
    })
    // Where it was paid after the deletion, support may want to pay it back.
    if (givenUp > 0) log.error({ userId: id, givenUp }, 'credits came to a deleted account and were given up')
  }
  return due.length
}
