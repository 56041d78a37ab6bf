-- What was given back for a call counts in the sums of its caller's calls: on the day that the call was placed, and for the
-- number it went to. call.credited is call_credit.amount, written by a trigger alone, so that servers of the version before
-- keep it, too. It stays with the record of the call, from which the sums are taken back when it is dropped.

-- micro-dollars; 0: nothing was given back
alter table call add column credited bigint not null default 0;
alter table call_sum_by_day add column credited bigint not null default 0;
alter table call_sum_by_number add column credited bigint not null default 0;

-- restart: our own server stopped during the call
alter table call_credit drop constraint call_credit_reason_check;
alter table call_credit add constraint call_credit_reason_check check (reason in ('short', 'no_sound', 'claim', 'restart'));

create or replace function add_to_call_sums(ended call, times int) returns void language plpgsql as $$
declare
  on_day constant date := (ended.placed_at at time zone 'UTC')::date;
  talked constant bigint := times * ceil(coalesce(ended.answered_ms, 0) / 60000.0)::bigint;
  charged constant bigint := times * ended.minutes_charged;
begin
  insert into call_sum_by_day as sums (user_id, day, outcome, calls, minutes, minutes_charged, cost, credited)
  values (ended.user_id, on_day, ended.outcome, times, talked, charged, times * ended.cost, times * ended.credited)
  on conflict (user_id, day, outcome) do update set calls = sums.calls + excluded.calls,
    minutes = sums.minutes + excluded.minutes, minutes_charged = sums.minutes_charged + excluded.minutes_charged,
    cost = sums.cost + excluded.cost, credited = sums.credited + excluded.credited;
  insert into call_sum_by_number as sums
    (user_id, to_number, outcome, calls, minutes, minutes_charged, cost, credited)
  values (ended.user_id, ended.to_number, ended.outcome, times, talked, charged, times * ended.cost, times * ended.credited)
  on conflict (user_id, to_number, outcome) do update set calls = sums.calls + excluded.calls,
    minutes = sums.minutes + excluded.minutes, minutes_charged = sums.minutes_charged + excluded.minutes_charged,
    cost = sums.cost + excluded.cost, credited = sums.credited + excluded.credited;
  if times < 0 then
    delete from call_sum_by_day
    where user_id = ended.user_id and day = on_day and outcome = ended.outcome and calls = 0;
    delete from call_sum_by_number
    where user_id = ended.user_id and to_number = ended.to_number and outcome = ended.outcome and calls = 0;
  end if;
end $$;

create or replace trigger call_sums_update after update on call
  for each row when (
    (old.state, old.user_id, old.placed_at, old.to_number, old.outcome, old.answered_ms, old.minutes_charged, old.cost,
      old.credited)
    is distinct from
    (new.state, new.user_id, new.placed_at, new.to_number, new.outcome, new.answered_ms, new.minutes_charged, new.cost,
      new.credited)
  ) execute function keep_call_sums();

create function keep_call_credited() returns trigger language plpgsql as $$
begin
  update call set credited = new.amount where id = new.call_id;
  return null;
end $$;
create trigger call_credit_given after insert on call_credit for each row execute function keep_call_credited();
