-- Refunds that users ask for. Each is written down and taken from the balance before the provider is asked: until it
-- has answered, its ref is asked:<key>, and from then on the provider's own.
alter table refund
  -- idempotency key under which the provider is asked
  add column key uuid unique,
  add column asked_at timestamptz;
-- Of one payment a user has one refund; another may be asked for when it failed.
create unique index refund_asked_once on refund (payment_id) where requested_by = 'user' and state <> 'failed';
create index refund_unanswered on refund (asked_at) where key is not null and state = 'pending';
