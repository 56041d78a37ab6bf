-- What people say of themselves, and the links by which they choose a password or an address anew.

alter table app_user
  -- null: an account that signs in without one
  alter column password_hash drop not null,
  -- what its owner is called, on receipts; null: has not said
  add column name text check (char_length(name) between 1 and 80),
  -- null with a time: asked, and did not want to say
  add column heard_about text check (char_length(heard_about) between 1 and 40),
  add column heard_about_detail text check (char_length(heard_about_detail) between 1 and 200),
  add column heard_about_at timestamptz;

-- A confirmation carries no password where the account has none. One without a user is written and taken away again in
-- one transaction: asking for an address that has no account is the same work.
alter table email_confirmation alter column password_hash drop not null, alter column user_id drop not null;

-- Links that let their reader choose a password: the token itself is never stored, only its SHA-256. Without a user as above.
create table password_reset (
  hash bytea primary key,
  user_id uuid references app_user on delete cascade,
  expires_at timestamptz not null,
  -- used, or void since something else made it so
  used_at timestamptz
);
create index password_reset_user on password_reset (user_id);

-- A new address waits here until its owner has opened the link. Where it has an account the link is mailed to nobody.
create table email_change (
  hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  email text not null check (email = lower(email)),
  expires_at timestamptz not null,
  used_at timestamptz
);
-- One open for each user.
create unique index email_change_open on email_change (user_id) where used_at is null;
