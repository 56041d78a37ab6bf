create table call (
  id uuid primary key,
  user_id uuid not null references app_user,
  to_number text not null,
  iso_code text not null,
  caller_id text,
  -- micro-dollars per minute, as sold when the call was placed
  rate bigint not null check (rate > 0),
  free boolean not null,
  -- the hard limit from answer
  limit_ms bigint not null check (limit_ms > 0),
  state text not null check (state in ('placed', 'ringing', 'answered', 'ended')),
  placed_at timestamptz not null,
  answered_at timestamptz,
  -- last moment the call was known to be alive: its end, if the server dies
  heartbeat_at timestamptz,
  ended_at timestamptz,
  answered_ms bigint check (answered_ms >= 0),
  minutes_charged int not null default 0,
  cost bigint not null default 0 check (cost >= 0),
  outcome text,
  check ((state = 'ended') = (ended_at is not null and outcome is not null))
);
create index call_history on call (user_id, placed_at desc, id desc);
create index call_live on call (user_id) where state <> 'ended';

-- One row per answered call that is charged; the loop claims what is due.
create table call_meter (
  call_id uuid primary key references call,
  account_id bigint not null references account,
  rate bigint not null check (rate > 0),
  minutes int not null default 0,
  max_minutes int not null,
  -- null: nothing more to charge
  next_charge_at timestamptz,
  -- exhausted: the next minute could not be paid
  state text not null check (state in ('running', 'exhausted'))
) with (fillfactor = 70);
create index call_meter_due on call_meter (next_charge_at) where next_charge_at is not null;
