-- What the local checkout sells: its page shows a bonus with credits, and none with a gift.

alter table local_checkout add column purpose text not null default 'credits' check (purpose in ('credits', 'gift'));
