-- Rewards that come once the refund window has passed (ADR-49), and bounds on cards (ADR-50).

-- A referral is decided once, by a job. `due_at`, `lost` and `changes` are of the rules before: what they gave stays.
alter table referral
  add column decided_at timestamptz,
  -- Keyed hashes of the card and the mailbox that a reward was given for, so that neither brings another one.
  add column card bytea,
  add column mailbox bytea;
alter table referral drop constraint referral_refusal_check;
alter table referral add constraint referral_refusal_check check (
  refusal in ('own_card', 'own_device', 'own_mailbox', 'card_used', 'mailbox_used', 'monthly_cap', 'referee_gone')
);
-- What the rules before had not looked at yet.
insert into job (kind, key, data, run_at)
select 'referral_reward', 'referral_reward:' || payment.id, to_jsonb(payment.id), paid_at + interval '168 hours 1 millisecond'
from referral join payment on user_id = referee_id
where referral.payment_id is null and due_at is not null and payment.state = 'paid'
on conflict (key) do nothing;

alter table payment
  -- The buyer's bank is asked to authenticate this payment. Kept, so that asking again asks for the same.
  add column authenticate boolean not null default false,
  -- Why a part of it waits for a review; null on payments of versions that had one reason, the amount.
  add column held_for text check (held_for in ('amount', 'card'));

-- Which accounts paid with a card lately, by the provider's name for the card: rows are dropped after 30 days, and outlive
-- a deleted account until then.
create table card_payer (
  fingerprint text not null,
  user_id uuid not null references app_user,
  first_paid_at timestamptz not null,
  last_paid_at timestamptz not null,
  -- An operator released a payment that waited because of this card.
  cleared boolean not null default false,
  primary key (fingerprint, user_id)
);
create index card_payer_last on card_payer (last_paid_at);

-- Payments that the card's bank reported as fraud. One that arrives before its payment is paid waits here, as a refund does.
create table fraud_warning (
  -- the provider's name for it
  ref text primary key,
  intent_ref text not null,
  payment_id uuid references payment,
  created_at timestamptz not null
);
create index fraud_warning_by_intent on fraud_warning (intent_ref);
create index fraud_warning_of_payment on fraud_warning (payment_id);

-- `system`: we sent a payment back that was reported as fraud.
alter table refund drop constraint refund_requested_by_check;
alter table refund add constraint refund_requested_by_check
  check (requested_by in ('user', 'operator', 'provider', 'system'));
