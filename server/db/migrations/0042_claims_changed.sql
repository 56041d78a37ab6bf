-- When the state of a refund or dispute last became another one, for the daily check of the books; null: it is still the first.
alter table refund add column changed_at timestamptz;
alter table dispute add column changed_at timestamptz;
