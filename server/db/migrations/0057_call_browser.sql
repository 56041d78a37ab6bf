-- The kind of browser that a call was placed from, so that calls are compared by it. A session has it from the last request of a
-- voice token; a call keeps what its session had. Null: from older versions, or without a session. The User-Agent itself is not kept.

alter table session add column engine text, add column engine_version int, add column system text;
alter table call add column engine text, add column engine_version int, add column system text;
