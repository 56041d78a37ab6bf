-- What was given back before the column was there. The trigger brings the sums up to date.
update call set credited = amount from call_credit where call_id = call.id and credited <> amount;
