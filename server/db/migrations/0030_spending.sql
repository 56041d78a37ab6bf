-- What a user lets calls spend, and the countries that they have locked. No row: nothing was set.
create table spending_limit (
  user_id uuid primary key references app_user on delete cascade,
  -- micro-dollars; null: no cap
  per_call bigint check (per_call > 0),
  -- micro-dollars in a calendar month of UTC; null: no cap
  per_month bigint check (per_month > 0),
  -- ISO 3166-1 alpha-2, upper case
  locked text[] not null default '{}',
  changed_at timestamptz not null
);

-- The cap of the user's own that set the call's limit (`CallCap`); null where the balance or our own limits did.
alter table call add column cap text;
