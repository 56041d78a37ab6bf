export type Subject = 'account' | 'transfer' | 'call' | 'payment' | 'referral'

/** SQL type of a subject's id. The id of a referral is its referee's. */
export const subjectType: Readonly<Record<Subject, 'bigint' | 'uuid'>> = {
  account: 'bigint',
  transfer: 'bigint',
  call: 'uuid',
  payment: 'uuid',
  referral: 'uuid',
}

/** Restricts a check to some subjects: a condition on the column with their ids. */
export type Among = (column: string) => string

/** An invariant; I1 to I5 are in docs/architecture.md, 'Money'. The SQL returns the subjects that break it, id first. */
export interface Check {
  readonly invariant: string
  readonly about: Subject
  readonly sql: (among: Among) => string
}

const chargedAmount = `
  select coalesce(sum(case when credit.kind = 'revenue' then amount else -amount end), 0)::bigint as amount
  from transfer join account credit on credit.id = transfer.credit_account
  join account debit on debit.id = transfer.debit_account
  where call_id = call.id and debit.kind not in ('promotions', 'goodwill')`

/** SQL for the part of a key after `call:<uuid>:`. */
const ofCall = 'substr(key, 43)'

/** SQL for the net sum of an account's transfers with ids above this one. */
const postedSince = (id: string) => `lateral (
    select coalesce(sum(amount), 0)::bigint as amount from (
      select amount from transfer where credit_account = account.id and transfer.id > ${id}
      union all select -amount from transfer where debit_account = account.id and transfer.id > ${id}) entry) posted`

const balances = 'I1 every transfer has a debit and a credit, and the balances are their sums'

/** The check of balances, starting from the sums of the last checkpoint. */
export const balancesSince: Check = {
  invariant: balances,
  about: 'account',
  sql: among => `
    select account.id::text as subject, account.balance, coalesce(known.balance, 0) + posted.amount as posted
    from account left join account_checkpoint known on known.account_id = account.id
    cross join ${postedSince('coalesce(known.transfer_id, 0)')}
    where account.kind = 'customer' and ${among('account.id')}
      and account.balance <> coalesce(known.balance, 0) + posted.amount`,
}

export const checks: readonly Check[] = [
  {
    invariant: balances,
    about: 'account',
    sql: among => `
      select account.id::text as subject, balance, posted.amount as posted from account cross join ${postedSince('0')}
      where kind = 'customer' and ${among('account.id')} and balance <> posted.amount`,
  },
  {
    invariant: 'I1 a transfer moves an amount above zero between two accounts',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject from transfer
      left join account debit on debit.id = debit_account left join account credit on credit.id = credit_account
      where ${among('transfer.id')} and (amount <= 0 or debit_account = credit_account or debit.id is null or credit.id is null)`,
  },
  {
    invariant: 'I2 no customer balance is below zero',
    about: 'account',
    sql: among => `
      select id::text as subject, balance from account where kind = 'customer' and ${among('account.id')} and balance < 0`,
  },
  {
    invariant: 'I3 a key was posted once',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer where ${among('transfer.id')}
        and exists (select 1 from transfer other where other.key = transfer.key and other.id <> transfer.id)`,
  },
  {
    invariant:
      'I3 a posting of a call says which call, and is one of its minutes, its settlement, the loss in it, what a free one was worth or what was given back',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key, call_id from transfer
      where ${among('transfer.id')} and (call_id is not null or key like 'call:%' or key like 'credit:%')
        and (call_id is null or not (key = 'credit:' || call_id
          or starts_with(key, 'call:' || call_id || ':') and ${ofCall} ~ '^([1-9][0-9]*|settlement(:loss)?|free)$'))`,
  },
  {
    invariant: 'I3 each minute that the meter counts was posted once',
    about: 'call',
    sql: among => `
      select call.id::text as subject, meter.minutes, posted.count as posted
      from call left join call_meter meter on meter.call_id = call.id
      cross join lateral (
        select count(*)::int as count, coalesce(max(${ofCall}::int), 0) as last
        from transfer where transfer.call_id = call.id and starts_with(key, 'call:') and ${ofCall} ~ '^[0-9]+$') posted
      where ${among('call.id')} and (posted.count <> coalesce(meter.minutes, 0) or posted.last <> posted.count)`,
  },
  {
    invariant: 'I3 only what is over was settled',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer join call on call.id = call_id
      where ${among('transfer.id')} and state <> 'ended'
        and (key like 'call:%:settlement%' or key like 'call:%:free' or key like 'credit:%')`,
  },
  {
    invariant:
      'I3 what a free call was worth was posted once, from promotions to revenue, and nothing for a call that was not free',
    about: 'call',
    sql: among => `
      select call.id::text as subject, free, rate, answered_ms, given.amount from call cross join lateral (
        select coalesce(sum(case when debit.kind = 'promotions' and credit.kind = 'revenue' then amount else -amount end), 0)
          ::bigint as amount
        from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
        where call_id = call.id and (key = 'call:' || call.id || ':free' or debit.kind = 'promotions')) given
      where ${among('call.id')}
        and given.amount <> case when free and state = 'ended' then ceil(coalesce(answered_ms, 0) / 60000.0) * rate else 0 end`,
  },
  {
    invariant:
      'I3 what was given back for a call came from goodwill to its caller, once, as its credit says, and no more than they paid',
    about: 'call',
    sql: among => `
      select call.id::text as subject, call_credit.amount, given.amount as posted, paid.amount as paid
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
      where ${among('call.id')} and (given.astray or given.amount <> coalesce(call_credit.amount, 0)
        or given.amount > greatest(paid.amount, 0) or call_credit.user_id <> call.user_id)`,
  },
  {
    invariant: 'I3 nothing leaves goodwill but for calls, and nothing comes to it',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
      where ${among('transfer.id')} and 'goodwill' in (debit.kind, credit.kind)
        and (credit.kind <> 'customer' or call_id is null or key <> 'credit:' || call_id)`,
  },
  {
    invariant:
      'I3 nobody was given back more calls in 30 days than the limit was, by themselves and by claims',
    about: 'call',
    sql: among => `
      select call_id::text as subject, user_id from call_credit given where ${among('given.call_id')} and most < (
        select count(*) from call_credit other where other.user_id = given.user_id
          and (other.reason = 'claim') = (given.reason = 'claim')
          and other.credited_at > given.credited_at - interval '720 hours' and other.credited_at <= given.credited_at)`,
  },
  {
    invariant: 'I3 a paid payment was posted once, in whole, and an unpaid one not at all',
    about: 'payment',
    sql: among => `
      select payment.id::text as subject, state, payment.amount, posted.amount as posted from payment cross join lateral (
        select coalesce(sum(amount), 0)::bigint as amount from transfer
        where payment_id = payment.id and key in ('payment:' || payment.id, 'held:' || payment.id)) posted
      where ${among('payment.id')} and posted.amount <> case when state = 'paid' then payment.amount else 0 end`,
  },
  {
    invariant: 'I3 a bonus was posted once, when nothing of its payment waits',
    about: 'payment',
    sql: among => `
      select payment.id::text as subject, bonus, posted.amount from payment cross join lateral (
        select coalesce(sum(amount), 0)::bigint as amount from transfer
        where payment_id = payment.id and key = 'bonus:' || payment.id) posted
      where ${among('payment.id')}
        and posted.amount <> case when state = 'paid' and (held = 0 or released_at is not null) then bonus else 0 end`,
  },
  {
    invariant: 'I3 what was taken back of a payment is what its refunds and disputes come to',
    about: 'payment',
    sql: among => `
      select payment.id::text as subject, claimed.amount, taken.amount as taken from payment cross join lateral (
        select coalesce(sum(amount), 0)::bigint as amount from (
          select amount from refund where payment_id = payment.id and refund.state <> 'failed'
          union all select amount from dispute where payment_id = payment.id and dispute.state <> 'won') claim
      ) claimed cross join lateral (
        select coalesce(sum(case when credit.kind = 'payments' then amount else -amount end), 0)::bigint as amount
        from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
        where payment_id = payment.id and key ~ '^(refund|dispute):' and 'payments' in (credit.kind, debit.kind)) taken
      where ${among('payment.id')} and claimed.amount <> taken.amount`,
  },
  {
    invariant: 'I3 a refund or dispute of a paid payment has taken effect',
    about: 'payment',
    sql: among => `
      select payment.id::text as subject, ref from refund join payment using (intent_ref)
      where ${among('payment.id')} and payment.state = 'paid' and payment_id is null
      union all
      select payment.id::text, ref from dispute join payment using (intent_ref)
      where ${among('payment.id')} and payment.state = 'paid' and payment_id is null`,
  },
  {
    invariant: 'I3 of each payment no less waits for review than nothing, and nothing once it is released',
    about: 'payment',
    sql: among => `
      select payment.id::text as subject, held, waiting.amount from payment cross join lateral (
        select coalesce(sum(case when credit.kind = 'unreleased' then amount else -amount end), 0)::bigint as amount
        from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
        where payment_id = payment.id and 'unreleased' in (credit.kind, debit.kind)) waiting
      where ${among('payment.id')} and (waiting.amount < 0 or (released_at is not null and waiting.amount <> 0))`,
  },
  {
    invariant: 'I3 a referral has brought its referrer what its row says, its reward or nothing',
    about: 'referral',
    // Through the referrer's own transfers, because the index finds a key only in full.
    sql: among => `
      select referee_id::text as subject, given, referral.lost, posted.amount as posted, posted.lost as posted_lost
      from referral left join account own on own.user_id = referrer_id cross join lateral (
        select coalesce(sum(case when debit.kind = 'promotions' then amount when credit.kind = 'promotions' then -amount else 0 end), 0)
            ::bigint as amount,
          coalesce(sum(case when debit.kind = 'dispute_losses' then amount when credit.kind = 'dispute_losses' then -amount else 0 end), 0)
            ::bigint as lost
        from (select * from transfer where credit_account = own.id union all select * from transfer where debit_account = own.id
            union all select * from transfer where key = 'referral:' || referee_id and own.id is null) transfer
        join account debit on debit.id = debit_account join account credit on credit.id = credit_account
        where split_part(key, ':', 1) = 'referral' and split_part(key, ':', 2) = referee_id::text) posted
      where ${among('referee_id')} and (given <> posted.amount or referral.lost <> posted.lost)`,
  },
  {
    invariant: 'I3 what a referral has brought is of a referral that there is',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer where ${among('transfer.id')} and key like 'referral:%'
        and not exists (select 1 from referral where referee_id::text = split_part(key, ':', 2))`,
  },
  {
    // Rewards without `decided_at` were given immediately under older rules and stay valid.
    invariant:
      'I3 a reward was given once its payment could be refunded no more, and once for each card and mailbox',
    about: 'referral',
    sql: among => `
      select referee_id::text as subject from referral join payment on payment.id = payment_id
      where ${among('referee_id')} and given > 0 and decided_at is not null
        and (payment.state <> 'paid' or decided_at <= paid_at + interval '168 hours')
      union all
      select referee_id::text from referral where ${among('referee_id')} and given > 0 and exists (
        select 1 from referral other where other.given > 0 and other.referee_id <> referral.referee_id
          and (other.card = referral.card or other.mailbox = referral.mailbox))`,
  },
  {
    invariant: 'I3 what was given up was on the balance of an account that its owner deleted',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
      left join app_user on app_user.id = debit.user_id
      where ${among('transfer.id')} and (key like 'given_up:%' or 'given_up' in (debit.kind, credit.kind))
        and not (credit.kind = 'given_up' and deleted_at is not null
          and key ~ ('^given_up:' || debit.user_id || '(:[1-9][0-9]*)?$'))`,
  },
  {
    invariant:
      'I4 an ended call was charged ceil(answered seconds / 60) x rate, or 0 when free or unanswered',
    about: 'call',
    sql: among => `
      select call.id::text as subject, cost, rate, answered_ms, charged.amount from call cross join lateral (${chargedAmount}) charged
      where ${among('call.id')} and state = 'ended' and (
        cost <> charged.amount
        or minutes_charged <> case when free or answered_ms is null then 0 else ceil(answered_ms / 60000.0) end
        or cost <> case when free or answered_ms is null then 0 else ceil(answered_ms / 60000.0) * rate end)`,
  },
  {
    invariant: 'I4 an answered call that ended has a length',
    about: 'call',
    sql: among => `
      select id::text as subject from call
      where ${among('call.id')} and state = 'ended' and answered_at is not null and answered_ms is null`,
  },
  {
    invariant: 'I4 nothing is charged any more for a call that has ended',
    about: 'call',
    sql: among => `
      select call.id::text as subject from call join call_meter on call_id = call.id
      where ${among('call.id')} and call.state = 'ended' and next_charge_at is not null`,
  },
  {
    invariant: 'I5 no call is metered longer than its limit plus 5 minutes',
    about: 'call',
    sql: among => `
      select call.id::text as subject, minutes from call left join call_meter on call_id = call.id
      where ${among('call.id')} and (minutes * 60000 > limit_ms + 300000 or answered_ms > limit_ms + 300000)`,
  },
]

export const invariants: readonly string[] = checks.map(({ invariant }) => invariant)

export interface Breach {
  readonly invariant: string
  readonly about: Subject
  readonly rows: readonly BrokenRow[]
}

export interface BrokenRow {
  readonly subject: string
}
