-- Numbers that people saved under a name.
create table contact (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  -- E.164 with the plus
  phone_number text not null check (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  dial_code text not null,
  iso_code text not null,
  created_at timestamptz not null,
  unique (user_id, phone_number)
);
