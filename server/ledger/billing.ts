import type { BillingFilter, BillingLine } from '#lib/api/billing.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Db } from '../db/port.ts'
import { labels } from './transfer-label-texts.ts'
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

/**
 * Walks an index of one side of transfers, newest first. `among` repeats the index's condition (0048), or the planner does
 * not use it. As with `listTransfers`, pairs instead of equality keep it from walking everybody's transfers.
 */
const walk = (account: string, amountSql: string, among: string) => `
  (select id, key, ${amountSql} as amount, created_at, call_id, payment_id from transfer one
   where (${account}, id) < ((select id from own), $2) and (${account}, id) > ((select id from own), 0) and ${among}
   order by ${account} desc, id desc limit $3)`

const received = (among = '') =>
  walk('credit_account', 'amount', `(call_id is null or key like 'credit:%')${among}`)
const taken = (among = '') => walk('debit_account', '-amount', `call_id is null${among}`)
/** A call by its first charge: minute 1, or a settlement that charged all of it. */
const called = walk(
  'debit_account',
  '-amount',
  `call_id is not null and (key like 'call:%:1' or key like 'call:%:settlement')
     and (key like 'call:%:1' or not exists (select 1 from transfer where key = 'call:' || one.call_id || ':1'))`,
)

const walks: Readonly<Record<BillingFilter, readonly string[]>> = {
  all: [received(), taken(), called, giftsBought, giftsReturned],
  purchases: [received(` and key like any (array['payment:%', 'bonus:%', 'release:%'])`), giftsBought],
  calls: [called],
  refunds: [
    received(` and key like any (array['credit:%', 'refund:%', 'dispute:%'])`),
    taken(` and key like any (array['refund:%', 'release-bonus:%', 'dispute:%'])`),
    giftsReturned,
  ],
}

/** Each walk reads at most one page; then the charges of the calls on the page are added up. */
const page = (show: BillingFilter) => `
with own as (select id, balance from account where user_id = $1),
listed as (select * from (${walks[show].join(' union all ')}) walked order by id desc limit $3)
select listed.id, listed.key, coalesce(charged.amount, listed.amount) as amount_micro_usd, listed.created_at, own.balance,
  charged.amount is not null as of_call, coalesce(charged.minutes, 0) as minutes, call.state, call.minutes_charged,
  listed.call_id, call.to_number, ${paymentColumns('listed')}
left join call on call.id = listed.call_id
left join lateral (
  select sum(case own.id when credit_account then amount else -amount end)::bigint as amount,
    count(*) filter (where key ~ ':[0-9]+$')::int as minutes
  from transfer where call_id = listed.call_id and listed.key like 'call:%' and key like 'call:%'
    and own.id in (debit_account, credit_account)) charged on true
order by listed.id desc`

interface LineRow extends TransferRow {
  readonly of_call: boolean
  /** Charged by the meter; a settlement may have returned some. */
  readonly minutes: number
  readonly state: 'placed' | 'ringing' | 'answered' | 'ended' | null
  readonly minutes_charged: number | null
}

export interface BillingQuery {
  readonly show?: BillingFilter | undefined
  readonly cursor?: string | undefined
  /** Lines per page; default 25. */
  readonly limit?: number | undefined
}

/**
 * Newest first, a call where its first charge is, so that its place stays. Balances are as if each call had been charged at
 * once: every line adds up with the next. The cursor is opaque; an unreadable one starts anew.
 */
export async function listBilling(
  db: Db,
  userId: string,
  { show = 'all', cursor, limit = pageSize }: BillingQuery,
  now: Date,
): Promise<{ lines: BillingLine[]; nextCursor: string | null }> {
  const before = readCursor(cursor, show)
  const rows = await db.query<LineRow>(page(show), [userId, before?.id ?? Number.MAX_SAFE_INTEGER, limit + 1])
  let balance = before?.balance ?? rows[0]?.balance ?? 0
  const lines = rows.slice(0, limit).map(row => {
    const line = present(row, show === 'all' ? balance : null, now)
    balance -= row.amount_micro_usd
    return line
  })
  const last = rows[limit - 1]
  const more = rows.length > limit && last !== undefined
  return { lines, nextCursor: more ? writeCursor(show, last.id, balance) : null }
}

function present(row: LineRow, balance: number | null, now: Date): BillingLine {
  const kind = transferKindOf(row.key, row.payment_kind === 'auto_topup')
  const live = row.of_call && row.state !== null && row.state !== 'ended'
  return {
    id: String(row.id),
    kind: row.of_call ? 'call' : kind,
    description: row.of_call
      ? live
        ? labels.callLive
        : labels.call
      : transferLabel(kind, row.key, row.amount_micro_usd, giftOf(row)),
    amount: microUsdToUsd(row.amount_micro_usd),
    balance: balance === null ? null : microUsdToUsd(balance),
    at: row.created_at.toISOString(),
    // A dropped call record cannot be opened.
    call:
      row.call_id === null || row.to_number === null
        ? null
        : {
            id: row.call_id,
            to: row.to_number,
            minutes: row.of_call ? (live ? row.minutes : (row.minutes_charged ?? row.minutes)) : null,
            live,
          },
    payment: listedPayment(row, kind, now),
  }
}

/** @param balance after the next older line, micro-dollars; only a list of all lines has one */
function writeCursor(show: BillingFilter, id: number, balance: number): string {
  return Buffer.from(`${show} ${id} ${show === 'all' ? balance : 0}`).toString('base64url')
}

/** A cursor of another filter starts anew. */
function readCursor(
  cursor: string | undefined,
  show: BillingFilter,
): { id: number; balance: number } | undefined {
  if (cursor === undefined) return undefined
  const [, of, id, balance] =
    /^([a-z]+) (\d{1,15}) (-?\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return of !== show || id === undefined || balance === undefined
    ? undefined
    : { id: Number(id), balance: Number(balance) }
}
