import type { Check } from './check.ts'

const chargedAmount = `
  select coalesce(sum(case when credit.kind = 'revenue' then amount else -amount end), 0)::bigint as amount
  from transfer join account credit on credit.id = transfer.credit_account
  join account debit on debit.id = transfer.debit_account
  where call_id = call.id and debit.kind not in ('promotions', 'goodwill')`

/** SQL for the part of a key after `call:<uuid>:`. */
const ofCall = 'substr(key, 43)'

export const callPostings: readonly Check[] = [
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
      'I3 what was given back for a call came from goodwill to its caller, once, as its credit and its record say, and no more than they paid',
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
      where ${among('call.id')} and (given.astray or given.amount <> coalesce(call_credit.amount, 0) or given.amount <> call.credited
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
      'I3 nobody was given back more calls in 30 days than the limit was, by themselves, by claims and for restarts',
    about: 'call',
    sql: among => `
      select call_id::text as subject, user_id from call_credit given where ${among('given.call_id')} and most < (
        select count(*) from call_credit other where other.user_id = given.user_id
          and (other.reason = 'claim') = (given.reason = 'claim')
          and (other.reason = 'restart') = (given.reason = 'restart')
          and other.credited_at > given.credited_at - interval '720 hours' and other.credited_at <= given.credited_at)`,
  },
]

export const callCharges: readonly Check[] = [
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
