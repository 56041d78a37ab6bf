-- The page's own name for a call, a UUID of its making, by which it tells what is said of its call from what is said of another page's.
alter table call add column attempt uuid;
