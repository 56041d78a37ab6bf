import { lowBalanceMicroUsd } from '#lib/rules/balance.ts'
import type { Db } from '../../db/port.ts'
import { lowBalanceLetter } from '../../mail/low-balance-letter.ts'
import type { Services } from '../context.ts'
import { queueLetter } from '../queue-letter.ts'
import type { CallRow } from './rows.ts'

interface Holder {
  readonly email: string
  readonly balance: number
  /** The newest credits that came to the account. */
  readonly topped_up: number
}

/**
 * Writes to whoever a call has left at the low-credit mark, with the transaction that settles it: once for each time that
 * credits came. Auto top-up tells for itself.
 */
export async function tellLowBalance(
  tx: Db,
  services: Services,
  { user_id: userId }: CallRow,
): Promise<void> {
  const [holder] = await tx.query<Holder>(
    `select email, balance, (
       select id from transfer where credit_account = account.id and call_id is null order by id desc limit 1
     ) as topped_up
     from account join app_user on app_user.id = account.user_id
     where user_id = $1 and balance <= $2 and not auto_topup_enabled`,
    [userId, lowBalanceMicroUsd],
  )
  if (holder === undefined) return
  const { email, balance, topped_up: toppedUp } = holder
  const letter = lowBalanceLetter(services.publicUrl, balance)
  await queueLetter(tx, `low-balance:${userId}:${toppedUp}`, email, letter, services.clock.now())
}
