-- no transaction: calls go on while the index is made.

-- The minutes of test calls, which the sum of a year leaves out.
drop index if exists call_tests;
create index concurrently call_tests on call (user_id, placed_at) where purpose = 'test';
