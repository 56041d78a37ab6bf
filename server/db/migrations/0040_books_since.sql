-- The daily check of the books reads only what has changed since the last one.

alter table reconciliation
  -- every transfer up to this one was checked
  add column books_transfer_id bigint not null default 0,
  -- what ended, was paid or was decided before was checked
  add column books_checked_at timestamptz;

-- What the transfers of a customer's account came to when its balance was last found right, up to one of them.
create table account_checkpoint (
  account_id bigint primary key,
  transfer_id bigint not null,
  balance bigint not null
);

-- What broke an invariant: it is checked again until it is right.
create table books_breach (
  about text not null check (about in ('account', 'transfer', 'call', 'payment', 'referral')),
  subject text not null,
  found_at timestamptz not null,
  primary key (about, subject)
);
