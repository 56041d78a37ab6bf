-- Passkeys, authenticator apps and recovery codes (ADR-53).

alter table session
  -- When it was signed in with a second factor; null: without one.
  add column second_factor_at timestamptz,
  -- When its user last showed who they are, at this sign-in; null: they did not, or a version before this did not say.
  add column proved_at timestamptz;

create table passkey (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  -- the authenticator's name for it, base64url
  credential_id text not null unique,
  -- COSE
  public_key bytea not null,
  -- 0 where the authenticator counts nothing
  sign_count bigint not null check (sign_count >= 0),
  -- how a browser reaches it, as it said itself
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_owner on passkey (user_id);

create table authenticator_app (
  user_id uuid primary key references app_user on delete cascade,
  -- sealed with a key of TOKEN_SECRET; null until one was set up
  secret bytea,
  confirmed_at timestamptz check ((confirmed_at is null) = (secret is null)),
  -- the next one, which has yet to show a code
  pending bytea,
  pending_at timestamptz,
  last_used_at timestamptz,
  -- of the code that was taken last: none is taken twice
  last_step bigint not null default 0
);

-- Random codes of 80 bits, as their SHA-256: they outlive a new TOKEN_SECRET, which authenticator apps do not.
create table recovery_code (
  hash bytea primary key,
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz
);
create index recovery_code_owner on recovery_code (user_id);

-- What a browser is between two steps of: signing in, or adding a passkey. Its cookie is kept as a keyed hash.
create table sign_in_step (
  hash bytea primary key,
  kind text not null check (kind in ('second_factor', 'passkey', 'new_passkey')),
  -- null: a passkey will say who it is
  user_id uuid references app_user on delete cascade,
  -- what the passkey signs
  challenge text,
  expires_at timestamptz not null
);
create index sign_in_step_owner on sign_in_step (user_id);
create index sign_in_step_expiry on sign_in_step (expires_at);

-- Whose session an operator's is: signed in with a second factor, and alive. Null: of a version that asked for none.
alter table operator_session add column session_id uuid references session on delete set null;
