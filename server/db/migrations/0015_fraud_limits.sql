-- What the fraud limits are reckoned from. Addresses and devices stand here as keyed hashes, never in clear.

-- The tariff's prefix of a call that was dear enough to be watched.
alter table call add column dear_prefix text;
create index call_dear on call (dear_prefix, placed_at) where dear_prefix is not null;

-- Whence a free call was made; null where that does not count (loopback).
alter table call add column from_address bytea, add column from_device bytea;
create index call_free_address on call (from_address, placed_at) where free and from_address is not null;
create index call_free_device on call (from_device, placed_at) where free and from_device is not null;
create index call_free_number on call (to_number, placed_at) where free;

-- Prefixes to which nobody calls for a while, because many accounts began to at once.
create table prefix_pause (
  prefix text primary key,
  opened_at timestamptz not null,
  ends_at timestamptz not null
);

-- Where somebody asked for the permission to call from, the last time.
create table caller_origin (
  user_id uuid primary key references app_user on delete cascade,
  address bytea,
  device bytea,
  -- loopback: this very machine
  local boolean not null,
  seen_at timestamptz not null
);
