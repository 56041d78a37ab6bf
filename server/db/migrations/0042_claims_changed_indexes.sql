-- no transaction: payments go on while the indexes are made.

drop index if exists refund_changed;
create index concurrently refund_changed on refund (changed_at) where changed_at is not null;
drop index if exists dispute_changed;
create index concurrently dispute_changed on dispute (changed_at) where changed_at is not null;
