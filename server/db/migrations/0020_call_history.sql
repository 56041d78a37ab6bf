-- The history by number and by outcome, newest first.
create index call_by_number on call (user_id, to_number, placed_at desc, id desc);
create index call_by_outcome on call (user_id, outcome, placed_at desc, id desc);

-- What the ended calls of a user come to, so that totals need not read each of them: by day (of UTC) and by number.
-- The trigger is their only writer. They go with the calls, and name no user who has none left.
create table call_sum_by_day (
  user_id uuid not null,
  day date not null,
  outcome text not null,
  calls bigint not null,
  -- begun minutes talked, free ones included
  minutes bigint not null,
  minutes_charged bigint not null,
  -- micro-dollars
  cost bigint not null,
  primary key (user_id, day, outcome)
) with (fillfactor = 70);

create table call_sum_by_number (
  user_id uuid not null,
  to_number text not null,
  outcome text not null,
  calls bigint not null,
  minutes bigint not null,
  minutes_charged bigint not null,
  cost bigint not null,
  primary key (user_id, to_number, outcome)
) with (fillfactor = 70);

create function add_to_call_sums(ended call, times int) returns void language plpgsql as $$
declare
  on_day constant date := (ended.placed_at at time zone 'UTC')::date;
  talked constant bigint := times * ceil(coalesce(ended.answered_ms, 0) / 60000.0)::bigint;
  charged constant bigint := times * ended.minutes_charged;
begin
  insert into call_sum_by_day as sums
  values (ended.user_id, on_day, ended.outcome, times, talked, charged, times * ended.cost)
  on conflict (user_id, day, outcome) do update set calls = sums.calls + excluded.calls,
    minutes = sums.minutes + excluded.minutes, minutes_charged = sums.minutes_charged + excluded.minutes_charged,
    cost = sums.cost + excluded.cost;
  insert into call_sum_by_number as sums
  values (ended.user_id, ended.to_number, ended.outcome, times, talked, charged, times * ended.cost)
  on conflict (user_id, to_number, outcome) do update set calls = sums.calls + excluded.calls,
    minutes = sums.minutes + excluded.minutes, minutes_charged = sums.minutes_charged + excluded.minutes_charged,
    cost = sums.cost + excluded.cost;
  if times < 0 then
    delete from call_sum_by_day
    where user_id = ended.user_id and day = on_day and outcome = ended.outcome and calls = 0;
    delete from call_sum_by_number
    where user_id = ended.user_id and to_number = ended.to_number and outcome = ended.outcome and calls = 0;
  end if;
end $$;

create function keep_call_sums() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state = 'ended' then perform add_to_call_sums(old, -1); end if;
  if tg_op <> 'DELETE' and new.state = 'ended' then perform add_to_call_sums(new, 1); end if;
  return null;
end $$;
create trigger call_sums_insert after insert on call
  for each row when (new.state = 'ended') execute function keep_call_sums();
create trigger call_sums_delete after delete on call
  for each row when (old.state = 'ended') execute function keep_call_sums();
-- Not for signs of life: those are most of the updates.
create trigger call_sums_update after update on call
  for each row when (
    (old.state, old.user_id, old.placed_at, old.to_number, old.outcome, old.answered_ms, old.minutes_charged, old.cost)
    is distinct from
    (new.state, new.user_id, new.placed_at, new.to_number, new.outcome, new.answered_ms, new.minutes_charged, new.cost)
  ) execute function keep_call_sums();

insert into call_sum_by_day
select user_id, (placed_at at time zone 'UTC')::date, outcome, count(*), sum(ceil(coalesce(answered_ms, 0) / 60000.0)),
  sum(minutes_charged), sum(cost)
from call where state = 'ended' group by 1, 2, 3;
insert into call_sum_by_number
select user_id, to_number, outcome, count(*), sum(ceil(coalesce(answered_ms, 0) / 60000.0)), sum(minutes_charged), sum(cost)
from call where state = 'ended' group by 1, 2, 3;
