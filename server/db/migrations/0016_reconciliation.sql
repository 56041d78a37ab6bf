-- What a free call was worth is posted when it is settled, as call:<id>:free. Those that were settled before:
insert into transfer (key, debit_account, credit_account, amount, call_id, created_at)
select 'call:' || id || ':free', (select id from account where kind = 'promotions'),
  (select id from account where kind = 'revenue'), ceil(answered_ms / 60000.0)::bigint * rate, id, ended_at
from call where free and state = 'ended' and answered_ms > 0 order by ended_at;

-- When our books were last compared with the provider's, and by whom they are being compared now: one row.
create table reconciliation (
  single boolean primary key default true check (single),
  claimed_at timestamptz,
  ran_at timestamptz
);
insert into reconciliation default values;

-- When a paid payment was last compared with what its provider holds of it.
alter table payment add column compared_at timestamptz;
