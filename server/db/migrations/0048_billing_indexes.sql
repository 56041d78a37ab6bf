-- no transaction: charges go on while the indexes are made.
-- The billing history has one row for a call, however long it was. These indexes hold each row's first transfer only: what
-- came to a balance, what left it for something other than a call, and the first charge of a call.

drop index if exists transfer_received;
create index concurrently transfer_received on transfer (credit_account, id)
  where call_id is null or key like 'credit:%';
drop index if exists transfer_taken;
create index concurrently transfer_taken on transfer (debit_account, id) where call_id is null;
drop index if exists transfer_call_charged;
create index concurrently transfer_call_charged on transfer (debit_account, id)
  where call_id is not null and (key like 'call:%:1' or key like 'call:%:settlement');
