import type { Db } from '../../db/port.ts'
import { type Movement, unspentPaid } from './paid-credits.ts'

/** Movements of one balance, oldest first. A call's minutes between two other movements are merged: there may be thousands. */
const movements = `
with own as (select id from account where user_id = $1),
side as (
  select transfer.id, key, call_id, payment_id, amount, other.kind as party
  from transfer join account other on other.id = debit_account where credit_account = (select id from own)
  union all
  select transfer.id, key, call_id, payment_id, -amount, other.kind
  from transfer join account other on other.id = credit_account where debit_account = (select id from own)
), told as (
  select id, amount, case
      when key like 'call:%' then 'usage'
      when key ~ '^(payment|release):' then 'purchase'
      when party = 'payments' then 'claim'
      when party in ('promotions', 'goodwill') or (party = 'adjustments' and amount > 0) then 'gift'
      else 'usage' end as kind,
    coalesce(call_id::text, payment_id::text, key) as about
  from side
), spans as (
  select *, count(*) filter (where kind <> 'usage') over (order by id) as span from told
)
select kind, about, sum(amount)::bigint as amount from spans group by kind, about, span order by min(id)`

/** The purchased and unused part of a user's balance, in micro-dollars. The user must be locked. */
export async function unspentPaidOf(tx: Db, userId: string): Promise<number> {
  return unspentPaid(await tx.query<Movement>(movements, [userId]))
}
