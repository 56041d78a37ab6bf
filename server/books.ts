import type { Db } from './db/port.ts'

/** A broken invariant of the books, by its name, with the rows that break it. I1 to I5 stand in the architecture's 'Money'. */
export interface Breach {
  readonly invariant: string
  readonly rows: readonly unknown[]
}

const chargedAmount = `
  select coalesce(sum(case when credit.kind = 'revenue' then amount else -amount end), 0)::bigint as amount
  from transfer join account credit on credit.id = transfer.credit_account
  join account debit on debit.id = transfer.debit_account
  where call_id = call.id and debit.kind not in ('promotions', 'goodwill')`

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
  'I3 a posting of a call says which call, and is one of its minutes, its settlement, the loss in it, what a free one was worth or what was given back': `
    select key, call_id from transfer where (call_id is not null or key like 'call:%' or key like 'credit:%')
    and (call_id is null
      or key !~ ('^(call:' || call_id || ':([1-9][0-9]*|settlement(:loss)?|free)|credit:' || call_id || ')$'))`,
  'I3 each minute that the meter counts was posted once': `
    select call.id, meter.minutes, count(transfer.id)::int as posted
    from call left join call_meter meter on meter.call_id = call.id
    left join transfer on transfer.call_id = call.id and transfer.key ~ '^call:[^:]+:[0-9]+$'
    group by call.id, meter.minutes
    having count(transfer.id) <> coalesce(meter.minutes, 0)
      or coalesce(max(split_part(transfer.key, ':', 3)::int), 0) <> count(transfer.id)`,
  'I3 only what is over was settled': `
    select key from transfer join call on call.id = call_id
    where (key like 'call:%:settlement%' or key like 'call:%:free' or key like 'credit:%') and state <> 'ended'`,
  'I3 what a free call was worth was posted once, from promotions to revenue, and nothing for a call that was not free': `
    select call.id, free, rate, answered_ms, given.amount from call cross join lateral (
      select coalesce(sum(case when debit.kind = 'promotions' and credit.kind = 'revenue' then amount else -amount end), 0)
        ::bigint as amount
      from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
      where call_id = call.id and (key = 'call:' || call.id || ':free' or debit.kind = 'promotions')) given
    where given.amount <> case when free and state = 'ended' then ceil(coalesce(answered_ms, 0) / 60000.0) * rate else 0 end`,
  'I3 what was given back for a call came from goodwill to its caller, once, as its credit says, and no more than they paid': `
    select call.id, call_credit.amount, given.amount as posted, paid.amount as paid
    from call left join call_credit on call_credit.call_id = call.id
    left join account own on own.user_id = call.user_id
    cross join lateral (
      select coalesce(sum(transfer.amount), 0)::bigint as amount,
        coalesce(bool_or(credit_account <> own.id or key not like 'credit:%'), false) as astray
      from transfer join account debit on debit.id = debit_account
      where transfer.call_id = call.id and (debit.kind = 'goodwill' or key like 'credit:%')) given
    cross join lateral (
      select coalesce(sum(case own.id when debit_account then transfer.amount else -transfer.amount end), 0)::bigint as amount
      from transfer where transfer.call_id = call.id and own.id in (debit_account, credit_account) and key like 'call:%') paid
    where given.astray or given.amount <> coalesce(call_credit.amount, 0) or given.amount > greatest(paid.amount, 0)
      or call_credit.user_id <> call.user_id`,
  'I3 nothing leaves goodwill but for calls, and nothing comes to it': `
    select key from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
    where 'goodwill' in (debit.kind, credit.kind)
      and (credit.kind <> 'customer' or call_id is null or key <> 'credit:' || call_id)`,
  'I3 nobody was given back more calls in 30 days than the limit was, by themselves and by claims': `
    select call_id, user_id from call_credit given where most < (
      select count(*) from call_credit other where other.user_id = given.user_id
        and (other.reason = 'claim') = (given.reason = 'claim')
        and other.credited_at > given.credited_at - interval '720 hours' and other.credited_at <= given.credited_at)`,
  'I3 a paid payment was posted once, in whole, and an unpaid one not at all': `
    select payment.id, state, payment.amount, posted.amount as posted from payment cross join lateral (
      select coalesce(sum(amount), 0)::bigint as amount from transfer
      where payment_id = payment.id and key in ('payment:' || payment.id, 'held:' || payment.id)) posted
    where posted.amount <> case when state = 'paid' then payment.amount else 0 end`,
  'I3 a bonus was posted once, when nothing of its payment waits': `
    select payment.id, bonus, posted.amount from payment cross join lateral (
      select coalesce(sum(amount), 0)::bigint as amount from transfer
      where payment_id = payment.id and key = 'bonus:' || payment.id) posted
    where posted.amount <> case when state = 'paid' and (held = 0 or released_at is not null) then bonus else 0 end`,
  'I3 what was taken back of a payment is what its refunds and disputes come to': `
    select payment.id, claimed.amount, taken.amount as taken from payment cross join lateral (
      select coalesce(sum(amount), 0)::bigint as amount from (
        select amount from refund where payment_id = payment.id and refund.state <> 'failed'
        union all select amount from dispute where payment_id = payment.id and dispute.state <> 'won') claim
    ) claimed cross join lateral (
      select coalesce(sum(case when credit.kind = 'payments' then amount else -amount end), 0)::bigint as amount
      from transfer join account credit on credit.id = credit_account join account debit on debit.id = debit_account
      where payment_id = payment.id and key ~ '^(refund|dispute):' and 'payments' in (credit.kind, debit.kind)) taken
    where claimed.amount <> taken.amount`,
  'I3 a refund or dispute of a paid payment has taken effect': `
    select ref from refund join payment using (intent_ref) where payment.state = 'paid' and payment_id is null
    union all
    select ref from dispute join payment using (intent_ref) where payment.state = 'paid' and payment_id is null`,
  'I3 of each payment no less waits for review than nothing, and nothing once it is released': `
    select payment.id, held, waiting.amount from payment cross join lateral (
      select coalesce(sum(case when credit.kind = 'unreleased' then amount else -amount end), 0)::bigint as amount
      from transfer join account credit on credit.id = credit_account join account debit on debit.id = debit_account
      where payment_id = payment.id and 'unreleased' in (credit.kind, debit.kind)) waiting
    where waiting.amount < 0 or (released_at is not null and waiting.amount <> 0)`,
  'I3 a referral has brought its referrer what its row says, its reward or nothing': `
    select referee_id, given, referral.lost, posted.amount as posted, posted.lost as posted_lost
    from referral full join (
      select split_part(key, ':', 2) as referee,
        sum(case when debit.kind = 'promotions' then amount when credit.kind = 'promotions' then -amount else 0 end)::bigint
          as amount,
        sum(case when debit.kind = 'dispute_losses' then amount when credit.kind = 'dispute_losses' then -amount else 0 end)
          ::bigint as lost
      from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
      where key like 'referral:%' group by 1) posted on posted.referee = referee_id::text
    where referee_id is null or given <> coalesce(posted.amount, 0) or referral.lost <> coalesce(posted.lost, 0)`,
  'I3 a reward stands if so much of the payment that earned it stays paid, and no other': `
    select referee_id, reward, given, kept.amount from referral join payment on payment.id = payment_id
    cross join lateral (select payment.amount
      - (select coalesce(sum(amount), 0) from refund where payment_id = payment.id and refund.state <> 'failed')
      - (select coalesce(sum(amount), 0) from dispute where payment_id = payment.id and dispute.state <> 'won') as amount
    ) kept
    where due_at is null and given <> case when kept.amount >= least then reward else 0 end`,
  'I3 what was given up was on the balance of an account that its owner deleted': `
    select key from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
    left join app_user on app_user.id = debit.user_id
    where (key like 'given_up:%' or 'given_up' in (debit.kind, credit.kind))
      and not (credit.kind = 'given_up' and deleted_at is not null and key ~ ('^given_up:' || debit.user_id || '(:[1-9][0-9]*)?$'))`,
  'I4 an ended call was charged ceil(answered seconds / 60) x rate, or 0 when free or unanswered': `
    select call.id, cost, rate, answered_ms, charged.amount from call cross join lateral (${chargedAmount}) charged
    where state = 'ended' and (
      cost <> charged.amount
      or minutes_charged <> case when free or answered_ms is null then 0 else ceil(answered_ms / 60000.0) end
      or cost <> case when free or answered_ms is null then 0 else ceil(answered_ms / 60000.0) * rate end)`,
  'I4 an answered call that ended has a length': `
    select id from call where state = 'ended' and answered_at is not null and answered_ms is null`,
  'I4 nothing is charged any more for a call that has ended': `
    select call.id from call join call_meter on call_id = call.id where call.state = 'ended' and next_charge_at is not null`,
  'I5 no call is metered longer than its limit plus 5 minutes': `
    select call_id, minutes from call_meter join call on call.id = call_id
    where minutes * 60000 > limit_ms + 300000
    union all select id, 0 from call where answered_ms > limit_ms + 300000`,
}

/** What the invariants are called, in order. */
export const invariants: readonly string[] = Object.keys(checks)

/** Every broken invariant of the books, which nothing changes meanwhile if `db` is one snapshot; an empty list is right. */
export async function findBreaches(db: Db): Promise<Breach[]> {
  const breaches: Breach[] = []
  for (const [invariant, sql] of Object.entries(checks)) {
    const rows = await db.query(sql)
    if (rows.length > 0) breaches.push({ invariant, rows })
  }
  return breaches
}

export interface BooksCheck {
  readonly transfers: number
  readonly breaches: readonly Breach[]
}

/** Checks the whole books in one snapshot, which writes nothing and waits for nobody, however long it takes. */
export async function checkBooks(db: Db): Promise<BooksCheck> {
  return db.transaction(
    async tx => {
      await tx.query('set transaction isolation level repeatable read, read only')
      const [row] = await tx.query<{ transfers: number }>('select count(*) as transfers from transfer')
      return { transfers: row?.transfers ?? 0, breaches: await findBreaches(tx) }
    },
    { unlimited: true },
  )
}
