-- Auto top-up: a kept card is charged while its owner is away.

-- One in flight for each user, however many things ask for it at once.
create unique index payment_auto_topup_in_flight on payment (user_id)
  where kind = 'auto_topup' and state = 'open';

alter table app_user
  -- in a row; the second pauses auto top-up
  add column auto_topup_failures int not null default 0 check (auto_topup_failures >= 0),
  -- why the card was not charged, in words that the user may read
  add column auto_topup_trouble text,
  -- when the user was last told that no more is charged for now
  add column auto_topup_limit_told_at timestamptz;

-- Accounts whose balance a charge for a call left at the low-credit mark. Written by the statement that charges, so that
-- no crash loses one. Locked after the account, and not tied to the user, whom the meter does not lock.
create table auto_topup_wish (
  account_id bigint primary key references account,
  wished_at timestamptz not null
);

-- What the provider is asked for, the same each time: it refuses its key with another order.
create table auto_topup_charge (
  payment_id uuid primary key references payment,
  customer_ref text not null,
  method_ref text not null,
  -- what the provider answered; its outcome is what it tells of this intent
  intent_ref text,
  attempts int not null default 0,
  -- a claimed one is nobody else's until then
  try_at timestamptz not null
);
