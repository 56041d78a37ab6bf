-- A mail that was sent leaves its key, so that its cause, come again, sends no second one. What it said is taken away.
-- Done jobs stand at infinity, where servers of the version before find nothing due either.
alter table job add column done_at timestamptz;
create index job_done on job (done_at) where done_at is not null;
