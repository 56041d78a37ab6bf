import type { TransferRecord } from '#lib/api/transfers.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Db } from '../db/port.ts'
import {
  giftOf,
  giftsBought,
  giftsReturned,
  listedPayment,
  paymentColumns,
  type TransferRow,
} from './transfer-payment.ts'
import { transferKindOf, transferLabel } from './transfer-texts.ts'

const pageSize = 25

/** Walks one side's index. With equality instead of pairs, the planner might walk everybody's transfers by id. */
const side = (account: string, amountSql: string) => `
  (select id, key, ${amountSql} as amount, created_at, call_id, payment_id from transfer
   where (${account}, id) < ((select id from own), $2) and (${account}, id) > ((select id from own), 0)
   order by ${account} desc, id desc limit $3)`

/** Two index walks, each limited to one page, however long the history is, and the user's booklets. */
const page = `
with own as (select id, balance from account where user_id = $1),
listed as (
  ${side('credit_account', 'amount')} union all ${side('debit_account', '-amount')} union all ${giftsBought} union all ${giftsReturned}
  order by id desc limit $3
)
select listed.id, listed.key, listed.amount as amount_micro_usd, listed.created_at, own.balance,
  listed.call_id, call.to_number, ${paymentColumns('listed')}
left join call on call.id = listed.call_id
order by listed.id desc`

export interface TransferQuery {
  readonly cursor?: string | undefined
  /** Transfers per page; default 25. */
  readonly limit?: number | undefined
}

/** Newest first. The cursor is opaque and carries the balance after its transfer; an unreadable one starts anew. */
export async function listTransfers(
  db: Db,
  userId: string,
  { cursor, limit = pageSize }: TransferQuery,
  now: Date,
): Promise<{ transfers: TransferRecord[]; nextCursor: string | null }> {
  const before = readCursor(cursor)
  const rows = await db.query<TransferRow>(page, [userId, before?.id ?? Number.MAX_SAFE_INTEGER, limit + 1])
  let balance = before?.balance ?? rows[0]?.balance ?? 0
  const transfers = rows.slice(0, limit).map(row => {
    const record = present(row, balance, now)
    balance -= row.amount_micro_usd
    return record
  })
  const last = rows[limit - 1]
  const more = rows.length > limit && last !== undefined
  return { transfers, nextCursor: more ? writeCursor(last.id, balance) : null }
}

function present(row: TransferRow, balance: number, now: Date): TransferRecord {
  const kind = transferKindOf(row.key, row.payment_kind === 'auto_topup')
  return {
    id: String(row.id),
    kind,
    description: transferLabel(kind, row.key, row.amount_micro_usd, giftOf(row)),
    amount: microUsdToUsd(row.amount_micro_usd),
    balance: microUsdToUsd(balance),
    at: row.created_at.toISOString(),
    // A dropped call record cannot be opened.
    call: row.call_id === null || row.to_number === null ? null : { id: row.call_id, to: row.to_number },
    payment: listedPayment(row, kind, now),
  }
}

/** @param balance after the next older transfer, micro-dollars */
function writeCursor(id: number, balance: number): string {
  return Buffer.from(`${id} ${balance}`).toString('base64url')
}

function readCursor(cursor: string | undefined): { id: number; balance: number } | undefined {
  if (cursor === undefined) return undefined
  const [, id, balance] = /^(\d{1,15}) (-?\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return id === undefined || balance === undefined ? undefined : { id: Number(id), balance: Number(balance) }
}
