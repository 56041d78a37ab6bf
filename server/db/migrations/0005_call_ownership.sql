-- The process whose exchange carries a call, by the id it keeps in its data directory: only that one can ask
-- the network about it. Null on calls of versions that ran as a single process.
alter table call add column node text;

create index call_live_node on call (node, placed_at) where state <> 'ended';
