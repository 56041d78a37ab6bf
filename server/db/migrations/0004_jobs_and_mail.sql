-- Work queued in the transaction that causes it: run at least once, its effect made once by its key.
create table job (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null unique,
  data jsonb not null,
  run_at timestamptz not null,
  attempts int not null default 0,
  last_error text
);
create index job_due on job (run_at);

-- The local inbox: where mails go when no mail server is configured. Never used in production.
create table inbox_mail (
  id bigint generated always as identity primary key,
  key text not null unique,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  sent_at timestamptz not null
);
