-- People, how they sign in, and the links mailed to them.

create table app_user (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  email_verified_at timestamptz,
  can_call boolean not null default true,
  auto_topup_enabled boolean not null default false,
  has_saved_payment_method boolean not null default false,
  -- PD-11: set by the server, `hide` after the first answered call of 30 s or more
  hide boolean not null default false,
  has_submitted_feedback boolean not null default false,
  has_made_call boolean not null default false,
  -- PD-20: reserved when placed, used up at answer, released when unanswered
  free_call text not null default 'available' check (free_call in ('available', 'reserved', 'used')),
  created_at timestamptz not null
);

-- One family per sign-in; the token itself is never stored, only its SHA-256.
create table refresh_token (
  hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  family uuid not null,
  created_at timestamptz not null,
  -- end of the idle time, never past the end of the whole session
  expires_at timestamptz not null,
  session_ends_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
create index refresh_token_family on refresh_token (family);
create index refresh_token_user on refresh_token (user_id);
create index refresh_token_expiry on refresh_token (expires_at);

-- A confirmation carries the password chosen with it: confirming one's own mail can never
-- activate a password that somebody else chose for the same address.
create table email_confirmation (
  hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  password_hash text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_confirmation_user on email_confirmation (user_id);
