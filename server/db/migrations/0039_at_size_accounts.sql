-- Each of these keys locked the revenue account's row for every posting of every process. Accounts are never deleted: a look at
-- them without a lock is enough, and the triggers below keep them. Databases of development versions have some of this already.
alter table transfer drop constraint if exists transfer_debit_account_fkey;
alter table transfer drop constraint if exists transfer_credit_account_fkey;

create or replace function refuse_account_removal() returns trigger language plpgsql as $$
begin
  raise exception 'accounts are never deleted: transfers refer to them' using errcode = 'restrict_violation';
end $$;
create or replace trigger account_is_kept before delete on account for each row execute function refuse_account_removal();
create or replace trigger account_is_not_truncated before truncate on account
  for each statement execute function refuse_account_removal();

create function refuse_unknown_account() returns trigger language plpgsql as $$
begin
  if not exists (select from account where id = new.debit_account)
    or not exists (select from account where id = new.credit_account) then
    raise exception 'a transfer names an account that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger transfer_has_accounts after insert on transfer for each row execute function refuse_unknown_account();
