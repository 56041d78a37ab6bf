-- What we pay for without being paid is counted here, and so are attempts to guess a password (server/budget-policy.ts). One row
-- is one window of one counter, which begins with its first use. Whose it is stands here as a keyed hash, but for prefixes of the
-- tariff. Keys sort by bytes: counters are locked in that order.
create table budget_counter (
  kind text collate "C" not null,
  -- account, mailbox, device, address, network, callee, recipient, prefix or everyone
  scope text collate "C" not null,
  window_seconds int not null,
  -- empty for everyone
  subject text collate "C" not null,
  -- uses, or micro-dollars
  used bigint not null check (used >= 0),
  -- the policy's, as of the last use
  max_used bigint not null,
  ends_at timestamptz not null,
  primary key (kind, scope, window_seconds, subject)
) with (fillfactor = 70);
create index budget_counter_end on budget_counter (ends_at);

-- What a call holds of those counters until it is settled.
alter table call add column budget jsonb;

-- What a verification call took of them, given back if the network did not make it.
alter table verification_call add column budget jsonb;
-- As of a call: the tariff's prefix where that is expensive enough to be watched.
alter table verification_call add column dear_prefix text;

-- The wider network that an address belongs to: the /48 of IPv6, the /24 of IPv4.
alter table caller_origin add column network bytea;
