-- no transaction: numbers are verified while the index is made.

drop index if exists verification_call_dear;
create index concurrently verification_call_dear on verification_call (dear_prefix, asked_at) where dear_prefix is not null;
