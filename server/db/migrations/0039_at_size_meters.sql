-- In a file of its own: it locks the meters of calls that are over, and no table.
update call_meter set state = 'settled' from call
where call.id = call_meter.call_id and call.state = 'ended' and call_meter.state = 'exhausted';
