-- no transaction: calls go on while the indexes are made.

-- The same attempt told twice is one call.
drop index if exists call_carrier_leg;
create unique index concurrently call_carrier_leg on call (carrier_leg) where carrier_leg is not null;
drop index if exists call_inquiry;
create index concurrently call_inquiry on call (inquire_at) where carrier_leg is not null and state <> 'ended';
