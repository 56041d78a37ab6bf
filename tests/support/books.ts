import type { Db } from '#server/db/port.ts'

/** A broken invariant of reliability.md, by its name, with the rows that break it. */
export interface Breach {
  readonly invariant: string
  readonly rows: readonly unknown[]
}

const chargedAmount = `
  select coalesce(sum(case when credit.kind = 'revenue' then amount else -amount end), 0)::bigint as amount
  from transfer join account credit on credit.id = transfer.credit_account where call_id = call.id`

const checks: Readonly<Record<string, string>> = {
  'I1 every transfer has a debit and a credit, and the balances are their sums': `
    select account.id, balance, coalesce(posted.amount, 0) as posted
    from account left join (
      select account_id, sum(amount)::bigint as amount from (
        select credit_account as account_id, amount from transfer
        union all select debit_account, -amount from transfer) entry
      group by account_id) posted on posted.account_id = account.id
    where account.kind = 'customer' and balance <> coalesce(posted.amount, 0)`,
  'I1 a transfer moves an amount above zero between two accounts': `
    select transfer.id from transfer
    left join account debit on debit.id = debit_account left join account credit on credit.id = credit_account
    where amount <= 0 or debit_account = credit_account or debit.id is null or credit.id is null`,
  'I2 no customer balance is below zero': `select id, balance from account where kind = 'customer' and balance < 0`,
  'I3 a key was posted once': 'select key, count(*)::int as n from transfer group by key having count(*) > 1',
  'I3 a posting of a call says which call, and is one of its minutes, its settlement or the loss in it': `
    select key, call_id from transfer where (call_id is not null or key like 'call:%')
    and (call_id is null or key !~ ('^call:' || call_id || ':([1-9][0-9]*|settlement(:loss)?)$'))`,
  'I3 each minute that the meter counts was posted once': `
    select call.id, meter.minutes, count(transfer.id)::int as posted
    from call left join call_meter meter on meter.call_id = call.id
    left join transfer on transfer.call_id = call.id and transfer.key ~ '^call:[^:]+:[0-9]+$'
    group by call.id, meter.minutes
    having count(transfer.id) <> coalesce(meter.minutes, 0)
      or coalesce(max(split_part(transfer.key, ':', 3)::int), 0) <> count(transfer.id)`,
  'I3 only what is over was settled': `
    select key from transfer join call on call.id = call_id where key like 'call:%:settlement%' and state <> 'ended'`,
  'I4 an ended call was charged ceil(answered seconds / 60) x rate, or 0 when free or unanswered': `
    select call.id, cost, rate, answered_ms, charged.amount from call cross join lateral (${chargedAmount}) charged
    where state = 'ended' and (
      cost <> charged.amount
      or minutes_charged <> case when free or answered_ms is null then 0 else ceil(answered_ms / 60000.0) end
      or cost <> case when free or answered_ms is null then 0 else ceil(answered_ms / 60000.0) * rate end)`,
  'I4 nothing is charged any more for a call that has ended': `
    select call.id from call join call_meter on call_id = call.id where call.state = 'ended' and next_charge_at is not null`,
  'I5 no call is metered longer than its limit plus 5 minutes': `
    select call_id, minutes from call_meter join call on call.id = call_id
    where minutes * 60000 > limit_ms + 300000
    union all select id, 0 from call where answered_ms > limit_ms + 300000`,
}

/** What the invariants are called, in order. */
export const invariants: readonly string[] = Object.keys(checks)

/** Every broken invariant of the books; an empty list is what a test wants. */
export async function findBreaches(db: Db): Promise<Breach[]> {
  const breaches: Breach[] = []
  for (const [invariant, sql] of Object.entries(checks)) {
    const rows = await db.query(sql)
    if (rows.length > 0) breaches.push({ invariant, rows })
  }
  return breaches
}
