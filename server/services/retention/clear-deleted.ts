import { enqueue } from '../../jobs/queue.ts'
import type { Services } from '../context.ts'
import { eraseBelongings } from '../delete-account/erase.ts'
import { formerAddressDays } from '../delete-account/former-address.ts'
import { giveUpBalance } from '../delete-account/give-up.ts'
import { lockUser } from '../users.ts'
import { isolated } from './isolated.ts'

const dayMs = 24 * 3600_000
/** Accounts that one statement finds. */
const batch = 100
const nilUuid = '00000000-0000-0000-0000-000000000000'

/**
 * Sees to deleted accounts once more: what a request that was under way during the deletion has written is removed, and
 * credits that arrived afterwards, by a refund that failed or a payment that was made all the same, are given up as well.
 * An account that cannot be cleared keeps none of the others.
 * @returns how many accounts were seen to
 */
export async function clearDeletedAccounts(services: Services): Promise<number> {
  const { db, clock } = services
  const now = clock.now()
  await db.query(
    'update app_user set former_address = null where deleted_at < $1 and former_address is not null',
    [new Date(now.getTime() - formerAddressDays * dayMs)],
  )
  let seenTo = 0
  let after = nilUuid
  for (;;) {
    const due = await db.query<{ id: string }>(
      `select app_user.id from app_user join account on account.user_id = app_user.id
       where deleted_at is not null and (balance > 0 or deleted_at > $1) and app_user.id > $2
       order by app_user.id limit ${batch}`,
      [new Date(now.getTime() - 2 * dayMs), after],
    )
    for (const { id } of due) await isolated(services, { userId: id }, () => clearAccount(services, id, now))
    seenTo += due.length
    const last = due.at(-1)
    if (last === undefined || due.length < batch) return seenTo
    after = last.id
  }
}

async function clearAccount({ db, log }: Services, id: string, now: Date): Promise<void> {
  const givenUp = await db.transaction(async tx => {
    await lockUser(tx, id)
    const card = await eraseBelongings(tx, id, now)
    if (card !== undefined) await enqueue(tx, { kind: 'forget_card', card }, now)
    return giveUpBalance(tx, id, now)
  })
  // Where it was paid after the deletion, support may want to pay it back.
  if (givenUp > 0) log.error({ userId: id, givenUp }, 'credits came to a deleted account and were given up')
}
