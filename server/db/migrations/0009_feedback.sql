-- What callers said of their calls: one row for each call, and one for each time no call was named.
create table feedback (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  call_id uuid unique references call on delete cascade,
  score int not null check (score between 1 and 5),
  issue text check (
    issue in ('audio-latency', 'choppy-audio', 'dropped-call', 'echo', 'noisy-call', 'one-way-audio')
  ),
  comment text,
  created_at timestamptz not null
);
create index feedback_user on feedback (user_id);
