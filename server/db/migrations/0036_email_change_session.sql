-- A change of address ends every session but the one that asked for it. Null: asked for by a version that did not say, and
-- then all of them end.
alter table email_change add column session_id uuid;
