-- no transaction: payments go on while the indexes are made.

drop index if exists refund_created;
create index concurrently refund_created on refund (created_at);
drop index if exists dispute_created;
create index concurrently dispute_created on dispute (created_at);
drop index if exists referral_decided;
create index concurrently referral_decided on referral (decided_at) where decided_at is not null;
