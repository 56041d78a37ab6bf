import type { Db } from '../db/port.ts'

export type SystemAccount =
  | 'revenue'
  | 'payments'
  | 'adjustments'
  | 'losses'
  | 'promotions'
  | 'unreleased'
  | 'dispute_losses'
  | 'given_up'
  | 'goodwill'
  | 'gifts'

/** One side of a transfer: a user's account by number, or a system account by name. */
export type Party = number | SystemAccount

export interface Transfer {
  /** Idempotency key: a key is used for one transfer only. */
  readonly key: string
  readonly debit: Party
  readonly credit: Party
  readonly amountMicroUsd: number
  readonly callId?: string
  readonly paymentId?: string
  readonly at: Date
}

/**
 * Moves money, once per key.
 * @returns false when a transfer with this key already exists
 * @throws when a user's balance would fall below zero (the database refuses it)
 */
export async function post(tx: Db, transfer: Transfer): Promise<boolean> {
  const made = await tx.query<{ id: number }>(
    `insert into transfer (key, debit_account, credit_account, amount, call_id, payment_id, created_at)
     select $1, ${partySql(transfer.debit, 2)}, ${partySql(transfer.credit, 3)}, $4::bigint, $5::uuid, $6::uuid,
       $7::timestamptz
     on conflict (key) do nothing returning id`,
    [
      transfer.key,
      transfer.debit,
      transfer.credit,
      transfer.amountMicroUsd,
      transfer.callId ?? null,
      transfer.paymentId ?? null,
      transfer.at,
    ],
  )
  return made.length === 1
}

function partySql(party: Party, position: number): string {
  if (typeof party === 'number') return `$${position}::bigint`
  return `(select id from account where kind = $${position}::text and kind <> 'customer')`
}

/** Charged for a call, net of overcharges; without free calls and goodwill credits. Micro-dollars. */
export async function chargedForCall(db: Db, callId: string): Promise<number> {
  const [row] = await db.query<{ charged: number }>(
    `select coalesce(sum(case when credit.kind = 'revenue' then amount else -amount end), 0)::bigint as charged
     from transfer join account credit on credit.id = transfer.credit_account
     join account debit on debit.id = transfer.debit_account
     where call_id = $1 and debit.kind not in ('promotions', 'goodwill')`,
    [callId],
  )
  return row?.charged ?? 0
}

/** Micro-dollars. */
export async function balanceOf(db: Db, accountId: number): Promise<number> {
  const [row] = await db.query<{ balance: number }>('select balance from account where id = $1', [accountId])
  if (row === undefined) throw new Error('no such account')
  return row.balance
}
