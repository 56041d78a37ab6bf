-- The books of the local checkout, which stands in for the card payment provider: what such a provider would keep on
-- its side. Nothing refers from here to our own books or back, as nothing could. Never used in production.

-- A card that its owner let the merchant keep. Never its number: what it is told apart by is made with a key.
create table local_kept_card (
  method_ref text primary key,
  customer_ref text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  fingerprint text not null,
  -- what it does when it is charged: the name of a test card
  behaviour text not null,
  forgotten_at timestamptz
);

-- One order to take money, by a checkout or from a kept card.
create table local_intent (
  ref text primary key,
  -- the merchant's idempotency key: one order is one intent
  payment_id uuid not null unique,
  customer_ref text not null,
  -- micro-dollars
  amount bigint not null check (amount > 0),
  refunded bigint not null default 0 check (refunded >= 0 and refunded <= amount),
  state text not null check (state in ('open', 'authenticating', 'paid', 'refused', 'expired')),
  -- why a charge of a kept card was refused
  refusal text check (refusal in ('declined', 'authentication_required', 'card_gone')),
  -- the card of the latest attempt
  brand text,
  last4 text check (last4 ~ '^[0-9]{4}$'),
  fingerprint text,
  behaviour text,
  -- how its events travel; the buyer chooses it on the page
  delivery text not null default 'prompt' check (delivery in ('prompt', 'late', 'twice', 'out_of_order')),
  -- the kept card that was charged, or that this payment kept
  method_ref text references local_kept_card,
  check ((state = 'refused') = (refusal is not null)),
  check (state not in ('authenticating', 'paid') or (brand is not null and last4 is not null and behaviour is not null))
);

create table local_checkout (
  ref text primary key,
  intent_ref text not null unique references local_intent,
  email text not null,
  description text not null,
  saves_card boolean not null,
  success_url text not null,
  cancel_url text not null,
  expires_at timestamptz not null
);

create table local_refund (
  ref text primary key,
  -- the merchant's idempotency key
  key text not null unique,
  intent_ref text not null references local_intent,
  amount bigint not null check (amount > 0),
  -- what the merchant was answered
  answer text not null check (answer in ('pending', 'succeeded'))
);

create table local_dispute (
  ref text primary key,
  -- a payment is disputed once
  intent_ref text not null unique references local_intent,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('open', 'won', 'lost'))
);

-- Events on their way to the merchant. Written in the transaction that they tell of.
create table local_event (
  id bigint generated always as identity primary key,
  -- the same for both copies of an event that is delivered twice
  event_id text not null,
  intent_ref text not null references local_intent,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0,
  -- HTTP status of the last answer; null before one came
  answer int,
  delivered_at timestamptz
);
create index local_event_due on local_event (due_at) where delivered_at is null;
create index local_event_intent on local_event (intent_ref);
