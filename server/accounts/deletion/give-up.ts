import type { Db } from '../../db/port.ts'
import { post } from '../../ledger/ledger.ts'

/**
 * The first transfer has the key `given_up:<user>`; later ones, such as after a failed refund, add a number. The user
 * must be locked.
 * @returns the amount in micro-dollars
 */
export async function giveUpBalance(tx: Db, userId: string, at: Date): Promise<number> {
  const [account] = await tx.query<{ id: number; balance: number }>(
    'select id, balance from account where user_id = $1 for no key update',
    [userId],
  )
  if (account === undefined) throw new Error('a user has no account')
  if (account.balance === 0) return 0
  const key = `given_up:${userId}`
  const [earlier] = await tx.query<{ times: number }>(
    `select count(*)::int as times from transfer
     where debit_account = $1 and credit_account = (select id from account where kind = 'given_up')`,
    [account.id],
  )
  const times = earlier?.times ?? 0
  await post(tx, {
    key: times === 0 ? key : `${key}:${times + 1}`,
    debit: account.id,
    credit: 'given_up',
    amountMicroUsd: account.balance,
    at,
  })
  return account.balance
}
