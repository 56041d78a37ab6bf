-- How often a deleted account was seen to afterwards: 1: minutes later, for what requests under way had left; 2: a day later, for
-- its calls, and for good.
alter table app_user add column if not exists clearings smallint not null default 0;
