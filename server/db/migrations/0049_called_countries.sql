-- The countries that a user has reached: one row each, from the first answered call on. It outlives the records of calls, which
-- are dropped, and goes with the account. Test calls do not count. The trigger is its only writer: it runs in the transaction
-- that settles a call, also in that of a server of the previous version.
create table called_country (
  user_id uuid not null references app_user,
  iso_code text not null,
  first_answered_at timestamptz not null,
  -- of the latest answered call; says whether the country was called in a span that lasts until now
  last_placed_at timestamptz not null,
  calls bigint not null,
  -- begun minutes talked, free ones included
  minutes bigint not null,
  primary key (user_id, iso_code)
);

create function keep_called_country() returns trigger language plpgsql as $$
begin
  insert into called_country as known (user_id, iso_code, first_answered_at, last_placed_at, calls, minutes)
  values (new.user_id, new.iso_code, new.answered_at, new.placed_at, 1, ceil(new.answered_ms / 60000.0)::bigint)
  on conflict (user_id, iso_code) do update set
    first_answered_at = least(known.first_answered_at, excluded.first_answered_at),
    last_placed_at = greatest(known.last_placed_at, excluded.last_placed_at),
    calls = known.calls + 1, minutes = known.minutes + excluded.minutes;
  return null;
end $$;
create trigger called_country_settled after update on call for each row when (
  old.state <> 'ended' and new.state = 'ended' and new.purpose is null and new.answered_at is not null and new.answered_ms > 0
) execute function keep_called_country();

insert into called_country (user_id, iso_code, first_answered_at, last_placed_at, calls, minutes)
select call.user_id, iso_code, min(answered_at), max(placed_at), count(*), sum(ceil(answered_ms / 60000.0))
from call join app_user on app_user.id = call.user_id and app_user.deleted_at is null
where state = 'ended' and purpose is null and answered_at is not null and answered_ms > 0
group by 1, 2;
