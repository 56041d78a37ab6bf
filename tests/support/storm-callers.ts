import type { Db } from '#server/db/port.ts'
import { post } from '#server/ledger/ledger.ts'
import type { Clock } from '#server/process/clock.ts'
import type { Random } from '#server/process/random.ts'

/** Rates of 0.02, 0.022 and 0.19 USD a minute. */
export const stormNumbers = ['+12125550100', '+442079460000', '+923001234567'] as const
/** Rates of 0.355 and 1.14 USD a minute, which few balances can pay for long. */
export const expensiveNumbers = ['+37491123456', '+5353123456'] as const
export const referrers = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'] as const

export interface Caller {
  readonly id: string
  readonly accountId: number
}

/** A user who may call. Without a password, because hashing takes longer than a whole story. */
export async function addCaller(
  { db, clock, random }: { readonly db: Db; readonly clock: Clock; readonly random: Random },
  name: string,
  { cents, free }: { readonly cents: number; readonly free: boolean },
): Promise<Caller> {
  const id = random.uuid()
  const at = clock.now()
  await db.query(
    `insert into app_user (id, email, password_hash, email_verified_at, free_call, created_at)
     values ($1, $2, 'none', $3, $4, $3)`,
    [id, `${name}@example.com`, at, free ? 'available' : 'used'],
  )
  const [account] = await db.query<{ id: number }>(
    `insert into account (kind, user_id) values ('customer', $1) returning id`,
    [id],
  )
  if (account === undefined) throw new Error('an account was not created')
  const amountMicroUsd = cents * 10_000
  if (cents > 0) {
    await post(db, { key: `payment:${name}`, debit: 'payments', credit: account.id, amountMicroUsd, at })
  }
  return { id, accountId: account.id }
}
