-- When a shared network last told which of its calls go on: one row, so that one process asks at a time.
create table carrier_sweep (
  single boolean primary key default true check (single),
  swept_at timestamptz not null
);
insert into carrier_sweep (swept_at) values ('-infinity');
