-- Contacts that somebody wants at hand beside the phone.
alter table contact add column favourite boolean not null default false;
