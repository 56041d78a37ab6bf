-- no transaction: calls go on while the indexes are made.

drop index if exists call_meter_exhausted;
create index concurrently call_meter_exhausted on call_meter (call_id) where state = 'exhausted';
drop index if exists call_to_tend;
create index concurrently call_to_tend on call (id)
  where carrier_leg is not null and state <> 'ended' and (hang_up is not null or limit_raised);
-- Without the calls of shared networks, which no process carries.
drop index if exists call_carried;
create index concurrently call_carried on call (node, placed_at) where carrier_leg is null and state <> 'ended';
drop index concurrently if exists call_live_node;
drop index if exists caller_id_number;
create index concurrently caller_id_number on caller_id (phone_number);
drop index if exists app_user_to_clear;
create index concurrently app_user_to_clear on app_user (deleted_at) where deleted_at is not null and clearings < 2;
drop index if exists app_user_former_address_due;
create index concurrently app_user_former_address_due on app_user (deleted_at) where former_address is not null;
drop index if exists payment_event_received;
create index concurrently payment_event_received on payment_event (received_at);
