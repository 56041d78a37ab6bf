-- The numbers that people have shown to be theirs, and the calls by which they did.

create table caller_id (
  user_id uuid not null references app_user on delete cascade,
  phone_number text not null check (phone_number ~ '^\+[0-9]{7,15}$'),
  verified_at timestamptz not null,
  primary key (user_id, phone_number)
);

-- Each call that asks for a code. The code itself is known to the telephone network and to the page alone.
create table verification_call (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  phone_number text not null,
  asked_at timestamptz not null,
  -- null: nothing is known of its end. `not_called`: the network did not take it, so it counts against no limit
  outcome text check (outcome in
    ('verified', 'wrong_code', 'no_code', 'hung_up', 'declined', 'busy', 'no_answer', 'failed', 'not_called')),
  ended_at timestamptz,
  check ((outcome is null) = (ended_at is null))
);
create index verification_call_of_user on verification_call (user_id, asked_at);
create index verification_call_of_number on verification_call (phone_number, asked_at);
