-- A server of the version before 0051 does not know booklets: it would credit the buyer of one. This guard makes its transaction
-- fail, and the payment's event is delivered again until a server that knows them receives it (ADR-65).

create function refuse_credits_of_gift() returns trigger language plpgsql as $$
begin
  if exists (select 1 from payment where id = new.payment_id and kind = 'gift')
    and exists (select 1 from account where id = new.credit_account and kind = 'customer')
  then
    raise exception 'a booklet is not credited to its buyer (%)', new.key using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger transfer_of_gift before insert on transfer for each row
  when (new.payment_id is not null and new.key ~ '^(payment|bonus|release):')
  execute function refuse_credits_of_gift();
