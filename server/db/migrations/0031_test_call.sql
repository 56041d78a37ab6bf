-- What a call is for: `test` calls the user's own number, to see what shows there; null is any other call.
alter table call add column purpose text;
