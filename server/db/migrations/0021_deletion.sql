-- Accounts that their owners deleted, and records that are kept for a time only. A deleted account stays as a row
-- without a name, which the ledger refers to.

alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check (
  kind in ('customer', 'revenue', 'payments', 'adjustments', 'losses', 'promotions', 'unreleased', 'dispute_losses',
    -- credits that were on the balance of an account when its owner deleted it, or came to it later
    'given_up')
);
insert into account (kind) values ('given_up');

alter table app_user
  add column deleted_at timestamptz,
  -- the address that it had, as a keyed hash, for as long as somebody may come back for what is given once
  add column former_address bytea,
  -- an account of this address was deleted before this one was made
  add column came_back boolean not null default false;
create index app_user_deleted on app_user (deleted_at) where deleted_at is not null;
create index app_user_former_address on app_user (former_address) where former_address is not null;

-- When a user last took their data with them: one export at a time, however many processes there are.
create table data_export (
  user_id uuid primary key references app_user on delete cascade,
  started_at timestamptz not null,
  -- null once it has ended; a process that dies leaves it to run out
  busy_until timestamptz
);

-- What is dropped because it is old.
create index call_placed on call (placed_at);
create index verification_call_asked on verification_call (asked_at);
create index email_confirmation_expiry on email_confirmation (expires_at);
