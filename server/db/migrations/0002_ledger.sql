-- Money: double-entry, append-only, in integer micro-dollars. The rules stand here, so that no code
-- path can break them: every transfer has one debit and one credit (the books sum to zero), a
-- customer's balance is written by the transfer trigger alone and never falls below zero.

create table account (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('customer', 'revenue', 'payments', 'adjustments', 'losses')),
  user_id uuid unique references app_user,
  -- customers only: a balance of a system account is a sum over its transfers
  balance bigint not null default 0,
  check ((kind = 'customer') = (user_id is not null)),
  check (kind <> 'customer' or balance >= 0),
  check (kind = 'customer' or balance = 0)
) with (fillfactor = 70);
create unique index account_system_kind on account (kind) where kind <> 'customer';

create table transfer (
  id bigint generated always as identity primary key,
  -- idempotency key, chosen by what causes the transfer: call:<id>:<minute>, payment:<intent> ...
  key text not null unique,
  debit_account bigint not null references account,
  credit_account bigint not null references account,
  amount bigint not null check (amount > 0),
  call_id uuid,
  created_at timestamptz not null,
  check (debit_account <> credit_account)
);
create index transfer_debit on transfer (debit_account, id);
create index transfer_credit on transfer (credit_account, id);
create index transfer_call on transfer (call_id) where call_id is not null;

create function apply_transfers() returns trigger language plpgsql as $$
begin
  update account set balance = account.balance + change.amount
  from (
    select account_id, sum(amount)::bigint as amount from (
      select credit_account as account_id, amount from posted
      union all
      select debit_account, -amount from posted
    ) entry group by account_id
  ) change
  where account.id = change.account_id and account.kind = 'customer';
  return null;
end $$;
create trigger transfer_applies after insert on transfer
  referencing new table as posted for each statement execute function apply_transfers();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger transfer_is_append_only before update or delete on transfer
  for each row execute function refuse_change();
create trigger transfer_is_not_truncated before truncate on transfer
  for each statement execute function refuse_change();

create function refuse_balance_change() returns trigger language plpgsql as $$
begin
  raise exception 'account.balance changes only through a transfer' using errcode = 'restrict_violation';
end $$;
create trigger balance_has_one_writer before update of balance on account
  for each row when (pg_trigger_depth() = 0 and old.balance is distinct from new.balance)
  execute function refuse_balance_change();
create trigger balance_starts_at_zero before insert on account
  for each row when (new.balance <> 0) execute function refuse_balance_change();

insert into account (kind) values ('revenue'), ('payments'), ('adjustments'), ('losses');

-- What an operator did, by whom and why. Append-only as well.
create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null
);
create trigger audit_is_append_only before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_is_not_truncated before truncate on audit_entry
  for each statement execute function refuse_change();
