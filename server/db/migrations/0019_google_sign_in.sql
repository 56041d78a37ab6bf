-- Who signs in with Google, and as which user. The subject is who somebody is; addresses change hands.
create table google_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references app_user on delete cascade,
  -- as Google vouched for it when it was linked
  email text not null,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index google_identity_user on google_identity (user_id);
