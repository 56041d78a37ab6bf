-- Each carrier that was tried for a call over trunks, so that routes are chosen by how carriers did, in all processes and after
-- restarts, and a carrier's own records can be compared with ours: its calls are those that were answered.
create table carrier_attempt (
  -- They go with the record of their call.
  call_id uuid not null references call on delete cascade,
  -- counts the carriers tried for the call, from 0
  attempt int not null check (attempt >= 0),
  -- its name in the trunk file
  carrier text not null,
  -- micro-dollars a minute, by the carrier's price list
  cost bigint not null check (cost >= 0),
  began_at timestamptz not null,
  -- failed: the carrier's own failure; abandoned: the caller left before anything rang; not_placed: not the carrier's failure
  outcome text not null check (outcome in ('answered', 'unanswered', 'failed', 'abandoned', 'not_placed')),
  primary key (call_id, attempt)
);
create index carrier_attempt_recent on carrier_attempt (began_at);
