-- Booklets: credits that one person buys for another, redeemed with a code (ADR-65). What was paid waits in the
-- account `gifts` and leaves it by the keys gift_redeem:<payment>, refund:<ref> and dispute:<ref>.

alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check (
  kind in ('customer', 'revenue', 'payments', 'adjustments', 'losses', 'promotions', 'unreleased', 'dispute_losses', 'given_up',
    'goodwill',
    -- paid for booklets that nobody has redeemed yet
    'gifts')
);
insert into account (kind) values ('gifts');

alter table payment drop constraint payment_kind_check;
alter table payment add constraint payment_kind_check check (kind in ('checkout', 'auto_topup', 'gift'));

create table gift (
  payment_id uuid primary key references payment,
  -- the buyer
  user_id uuid not null references app_user,
  created_at timestamptz not null,
  -- Null once the buyer has deleted the account.
  from_name text check (length(from_name) <= 60),
  to_name text check (length(to_name) <= 60),
  message text check (length(message) <= 200),
  -- Null: the buyer passes the envelope on; and once the booklet is redeemed.
  recipient_email text check (length(recipient_email) <= 254),
  -- SHA-256 of the code, which is random and has 100 bits
  code_hash bytea not null unique,
  -- The code, encrypted, so that the buyer can print the envelope again; null once it is redeemed.
  code_sealed bytea,
  -- Paid and, if it waited for a review, released: from now on the code works.
  issued_at timestamptz,
  -- Whether the envelope was mailed; null: not issued, or without an address.
  mailed boolean,
  redeemed_at timestamptz,
  redeemed_by uuid references app_user,
  check ((redeemed_at is null) = (redeemed_by is null))
);
create index gift_of_buyer on gift (user_id, created_at);
create index gift_of_redeemer on gift (redeemed_by) where redeemed_by is not null;
create index gift_with_address on gift (created_at) where recipient_email is not null;
