import type { Check } from './check.ts'

export const paymentChecks: readonly Check[] = [
  {
    invariant: 'I3 a paid payment was posted once, in whole, and an unpaid one not at all',
    about: 'payment',
    sql: among => `
      select payment.id::text as subject, state, payment.amount, posted.amount as posted from payment cross join lateral (
        select coalesce(sum(amount), 0)::bigint as amount from transfer
        where payment_id = payment.id and key in ('payment:' || payment.id, 'held:' || payment.id, 'gift:' || payment.id)) posted
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
]

export const giftChecks: readonly Check[] = [
  {
    invariant:
      'I3 what was paid for a booklet waits in gifts until it goes back or is redeemed, once, by the redeemer of its row',
    about: 'payment',
    sql: among => `
      select payment.id::text as subject, pot.left, redeemed.amount as redeemed
      from payment left join gift on gift.payment_id = payment.id
      left join account own on own.user_id = gift.redeemed_by
      cross join lateral (
        select coalesce(sum(case when credit.kind = 'gifts' then amount else -amount end), 0)::bigint as left,
          coalesce(bool_or(case when credit.kind = 'gifts' then key !~ '^(gift|release|refund|dispute):'
            else key !~ '^(refund|dispute):' and key <> 'gift_redeem:' || payment.id end), false) as astray
        from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
        where payment_id = payment.id and 'gifts' in (credit.kind, debit.kind)) pot
      cross join lateral (
        select coalesce(sum(amount), 0)::bigint as amount, coalesce(bool_or(credit_account is distinct from own.id), false) as astray
        from transfer where payment_id = payment.id and key like 'gift_redeem:%') redeemed
      where ${among('payment.id')} and (pot.left < 0 or pot.left > payment.amount or pot.astray or redeemed.astray
        or (payment.kind = 'gift') <> (gift.payment_id is not null)
        or (payment.kind = 'gift' and exists (select 1 from transfer where payment_id = payment.id and key ~ '^(payment|bonus):'))
        or (payment.kind = 'gift' and exists (select 1 from transfer join account credit on credit.id = credit_account
          where payment_id = payment.id and key like 'release:%' and credit.kind <> 'gifts'))
        or (gift.redeemed_at is not null) <> (redeemed.amount > 0)
        or (redeemed.amount > 0 and pot.left <> 0))`,
  },
  {
    invariant: 'I3 nothing comes to gifts or leaves it but for a booklet',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
      where ${among('transfer.id')} and ('gifts' in (debit.kind, credit.kind) or key ~ '^gift(_redeem)?:')
        and not exists (select 1 from gift where gift.payment_id = transfer.payment_id)`,
  },
]

export const referralChecks: readonly Check[] = [
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
]
