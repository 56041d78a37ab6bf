import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { queueEmailTo } from '../../mail/queue-email.ts'
import type { CallRow } from '../rows.ts'
import { lowBalanceEmail } from './low-balance-email.ts'

/** Call in the transaction of a charge that left the balance low, with the account locked. The meter does so itself. */
export async function requestAutoTopUp(tx: Db, userId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into auto_topup_wish (account_id, wished_at)
     select account.id, $2 from account join app_user on app_user.id = user_id
     where app_user.id = $1 and balance <= $3 and auto_topup_enabled
     on conflict do nothing`,
    [userId, at, lowBalanceMicroUsd],
  )
}

/** E-mails a user whose call left the balance low, once per added credits. Not with auto top-up, which sends its own notices. */
export async function notifyLowBalance(
  tx: Db,
  services: Services,
  { user_id: userId }: CallRow,
): Promise<void> {
  const [owner] = await tx.query<{ email: string; language: string; balance: number; topped_up: number }>(
    `select email, language, balance, (
       select id from transfer where credit_account = account.id and call_id is null order by id desc limit 1
     ) as topped_up
     from account join app_user on app_user.id = account.user_id
     where user_id = $1 and balance <= $2 and not auto_topup_enabled`,
    [userId, lowBalanceMicroUsd],
  )
  if (owner === undefined) return
  const { balance, topped_up: toppedUp } = owner
  const template = () => lowBalanceEmail(services.publicUrl, balance)
  await queueEmailTo(tx, `low-balance:${userId}:${toppedUp}`, owner, template, services.clock.now())
}
