-- Payments for credits. What the provider tells is believed only by its signed events; each moves money once,
-- by the keys of its transfers: payment:<id>, bonus:<id>, held:<id>, release:<id>, and for what is taken back
-- refund:<ref> and dispute:<ref>, with what became of it behind (refund:<ref>:failed, dispute:<ref>:won).

alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check (
  kind in ('customer', 'revenue', 'payments', 'adjustments', 'losses',
    -- credits that we give: bonuses, referral rewards, free calls
    'promotions',
    -- paid, and not yet a customer's: the part of a payment that waits for review
    'unreleased',
    -- what was taken back of a payment, by a dispute or a refund, beyond the balance that was left
    'dispute_losses')
);
insert into account (kind) values ('promotions'), ('unreleased'), ('dispute_losses');

create sequence receipt_number;

-- Which payment a transfer is about, as call_id says which call.
alter table transfer add column payment_id uuid;
create index transfer_payment on transfer (payment_id) where payment_id is not null;

-- Raised by a top-up, and not yet told to the network by the process that carries the call.
alter table call add column limit_raised boolean not null default false;

create table payment (
  -- also the idempotency key under which the provider is asked
  id uuid primary key,
  user_id uuid not null references app_user,
  kind text not null check (kind in ('checkout', 'auto_topup')),
  state text not null check (state in ('open', 'paid', 'failed', 'expired')),
  provider text not null check (provider in ('local', 'stripe')),
  -- micro-dollars, whole dollars
  amount bigint not null check (amount >= 5000000 and amount <= 4000000000 and amount % 1000000 = 0),
  bonus bigint not null check (bonus >= 0),
  -- the part of the amount that waits for review when it is paid; the bonus waits with it
  held bigint not null default 0 check (held >= 0 and held <= amount),
  released_at timestamptz,
  checkout_ref text unique,
  checkout_url text,
  -- when the provider was last asked about it, because no event said how it ended
  looked_up_at timestamptz,
  intent_ref text unique,
  -- decline code of the provider's, in our words
  failure text,
  -- the buyer allowed later charges of this card
  saves_card boolean not null,
  -- what ?ref= brought; checked when it is paid
  referral_code text check (length(referral_code) <= 100),
  -- the buyer asked that the service begin before the 14 days to cancel are over
  express_request_at timestamptz not null,
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  -- taken back so far: refunds that went through
  refunded bigint not null default 0 check (refunded >= 0 and refunded <= amount),
  receipt bigint unique,
  created_at timestamptz not null,
  paid_at timestamptz,
  check ((state = 'paid') = (paid_at is not null and receipt is not null))
);
create index payment_by_user on payment (user_id, created_at desc, id desc);
create index payment_open on payment (created_at) where state = 'open';

-- Every event of the provider's that was taken, once.
create table payment_event (
  provider text not null,
  id text not null,
  kind text not null,
  payment_id uuid references payment,
  received_at timestamptz not null,
  primary key (provider, id)
);

-- Refunds and disputes as the provider numbers them. One that arrives before its payment is paid waits here:
-- payment_id is set when it takes effect.
create table refund (
  ref text primary key,
  intent_ref text not null,
  payment_id uuid references payment,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('pending', 'succeeded', 'failed')),
  requested_by text not null default 'provider' check (requested_by in ('user', 'operator', 'provider')),
  created_at timestamptz not null
);
create index refund_by_intent on refund (intent_ref);
create index refund_of_payment on refund (payment_id);

create table dispute (
  ref text primary key,
  intent_ref text not null,
  payment_id uuid references payment,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('open', 'won', 'lost')),
  created_at timestamptz not null
);
create index dispute_by_intent on dispute (intent_ref);
create index dispute_of_payment on dispute (payment_id);

-- The card that a user let us keep, by the provider's names for it: never its number.
create table saved_card (
  user_id uuid primary key references app_user,
  provider text not null,
  customer_ref text not null,
  method_ref text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  -- the provider's name for the card itself, the same for whoever uses it
  fingerprint text not null,
  consented_at timestamptz not null,
  saved_at timestamptz not null
);
create index saved_card_fingerprint on saved_card (fingerprint);

-- Why somebody may not call, in words that they may read.
alter table app_user add column blocked_reason text;
