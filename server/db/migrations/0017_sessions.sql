-- The devices that people are signed in on, limits on guessing and mailing, and how long a call was alive.

-- One row per sign-in: the family of its refresh tokens. Whether it has ended is theirs to say.
create table session (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  -- in words, such as 'Chrome on macOS'
  device text not null,
  kind text not null check (kind in ('phone', 'tablet', 'computer', 'unknown')),
  signed_in_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index session_owner on session (user_id);

insert into session (id, user_id, device, kind, signed_in_at, last_seen_at)
  select family, user_id, 'Unknown device', 'unknown', min(created_at), max(created_at)
  from refresh_token group by family, user_id;

-- What was taken of a limit within one of its windows. Who it counts for stands here as a keyed hash.
create table throttle (
  key bytea primary key,
  taken int not null,
  ends_at timestamptz not null
);
create index throttle_end on throttle (ends_at);

-- How long a call had been answered at its last sign of life, by the monotonic clock of the network that carried it.
-- Null: no sign since the answer, or from a version that wrote only the time.
alter table call add column alive_ms bigint check (alive_ms >= 0);
