-- What is given back for bad calls: from an account of its own, since what an operator credits counts as paid.
-- Transfers: credit:<call>, once for each call.

alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check (
  kind in ('customer', 'revenue', 'payments', 'adjustments', 'losses', 'promotions', 'unreleased', 'dispute_losses', 'given_up',
    'goodwill')
);
insert into account (kind) values ('goodwill');

create table call_credit (
  -- They go with the record of their call; the ledger keeps what was given.
  call_id uuid primary key references call on delete cascade,
  user_id uuid not null references app_user,
  -- short, no_sound: given by itself
  reason text not null check (reason in ('short', 'no_sound', 'claim')),
  -- what a claim complains of
  issue text check (
    issue in ('audio-latency', 'choppy-audio', 'dropped-call', 'echo', 'noisy-call', 'one-way-audio')
  ),
  -- micro-dollars
  amount bigint not null check (amount > 0),
  -- how many of its kind, claimed or given by itself, a user could have in 30 days when it was given
  most int not null check (most > 0),
  credited_at timestamptz not null,
  check ((reason = 'claim') = (issue is not null))
);
create index call_credit_user on call_credit (user_id, credited_at);

-- What the caller's page measured. It may say what it likes.
create table call_quality (
  call_id uuid primary key references call on delete cascade,
  -- of the answered call, measured; and of these, with any sound from the other end
  seconds int not null check (seconds >= 0),
  heard_seconds int not null check (heard_seconds >= 0),
  -- mean opinion score, percent, milliseconds; null where not measured
  mos double precision,
  loss_percent double precision,
  jitter_ms double precision,
  round_trip_ms double precision,
  reported_at timestamptz not null
);
