-- Messages that the support page sent: what stands here makes one mail of a message however often it is sent,
-- and its reference unique. The message itself is in the mail alone.
create table support_message (
  -- A digest of the message and of the form it was written on.
  key bytea primary key,
  reference text not null unique,
  created_at timestamptz not null
);

alter table inbox_mail add column reply_to text;
