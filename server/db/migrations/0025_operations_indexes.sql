-- no transaction: both tables are written meanwhile.

-- Mails that were given up, and payments by the hour, are asked for often: neither is to read what is long past.
drop index if exists job_given_up;
create index concurrently job_given_up on job (done_at) where done_at is not null and last_error is not null;
drop index if exists payment_paid;
create index concurrently payment_paid on payment (paid_at) where paid_at is not null;
