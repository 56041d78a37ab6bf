-- Name and e-mail address of the buyer as they were when the payment was paid: what its receipt says from then on. Written by a trigger
-- alone, so that servers of the version before write them, too. A deleted account leaves neither.

alter table payment add column billed_name text;
alter table payment add column billed_email text;

create function keep_payment_billed() returns trigger language plpgsql as $$
begin
  select name, email into new.billed_name, new.billed_email
  from app_user where id = new.user_id and deleted_at is null;
  return new;
end $$;
create trigger payment_billed before update on payment
  for each row when (new.state = 'paid' and old.state <> 'paid') execute function keep_payment_billed();
