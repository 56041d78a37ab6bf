-- How much of a call's rate the caller's own number adds, micro-dollars a minute: 0 where it showed a number of ours.
alter table call add column surcharge bigint not null default 0 check (surcharge >= 0 and surcharge <= rate);
