import type { Db } from '#server/db/port.ts'

/** A broken invariant of reliability.md, by its name, with the rows that break it. */
export interface Breach {
  readonly invariant: string
  readonly rows: readonly unknown[]
}

const checks: Readonly<Record<string, string>> = {
  'I1 every transfer has a debit and a credit, and the balances are their sums': `
    select account.id, balance, coalesce(sum(case when transfer.credit_account = account.id then amount else -amount end), 0)::bigint as posted
    from account left join transfer on account.id in (transfer.credit_account, transfer.debit_account)
    where account.kind = 'customer' group by account.id
    having balance <> coalesce(sum(case when transfer.credit_account = account.id then amount else -amount end), 0)`,
  'I2 no customer balance is below zero': `select id, balance from account where kind = 'customer' and balance < 0`,
  'I3 each minute that the meter counts was posted once': `
    select meter.call_id, minutes, count(transfer.id)::int as posted from call_meter meter
    left join transfer on transfer.call_id = meter.call_id and transfer.key ~ '^call:[^:]+:[0-9]+$'
    group by meter.call_id, minutes having count(transfer.id) <> minutes`,
  'I4 an ended call was charged ceil(answered seconds / 60) x rate, or 0 when free or unanswered': `
    select call.id, cost, rate, answered_ms, charged.amount from call
    cross join lateral (
      select coalesce(sum(case when credit.kind = 'revenue' then amount else -amount end), 0)::bigint as amount
      from transfer join account credit on credit.id = transfer.credit_account where call_id = call.id) charged
    where state = 'ended' and (
      cost <> charged.amount
      or cost <> case when free or answered_ms is null then 0 else ceil(answered_ms / 60000.0) * rate end)`,
  'I5 no call is metered longer than its limit plus 5 minutes': `
    select call_id, minutes from call_meter join call on call.id = call_id
    where minutes * 60000 > limit_ms + 300000
    union all select id, 0 from call where answered_ms > limit_ms + 300000`,
}

/** Every broken invariant of the books; an empty list is what a test wants. */
export async function findBreaches(db: Db): Promise<Breach[]> {
  const breaches: Breach[] = []
  for (const [invariant, sql] of Object.entries(checks)) {
    const rows = await db.query(sql)
    if (rows.length > 0) breaches.push({ invariant, rows })
  }
  return breaches
}
