-- What operators see of the server: who is signed in at /ops, and what each process says of itself once a minute.

-- A link that the command line printed: opens one session, once. Its token is never stored, only its SHA-256.
create table operator_link (
  hash bytea primary key,
  -- of the operator, as given with the command
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index operator_link_expiry on operator_link (expires_at);

create table operator_session (
  id uuid primary key,
  -- SHA-256 of the cookie
  hash bytea not null unique,
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index operator_session_expiry on operator_session (expires_at);

-- What cannot be asked of the books: counts are of the minute before, and each process writes its own.
create table ops_sample (
  id bigint generated always as identity primary key,
  process text not null,
  version text not null,
  started_at timestamptz not null,
  at timestamptz not null,
  -- the last word of a process that was asked to stop
  stopped boolean not null,
  -- the latest that a minute of a call was charged after it had begun
  meter_lag_ms bigint not null,
  jobs_due bigint not null,
  carried_calls int not null,
  sockets int not null,
  webhook_failures int not null,
  -- by provider: how many requests to it failed, the last one and when: {"stripe": {"errors", "operation", "at"}}
  providers jsonb not null
);
create index ops_sample_at on ops_sample (at);

-- How much the last comparison of the books found; null before the first.
alter table reconciliation add column differences int;
