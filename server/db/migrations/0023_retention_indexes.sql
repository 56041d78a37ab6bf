-- What is taken away because it is old is found by its age.
create index session_last_seen on session (last_seen_at);
create index password_reset_expiry on password_reset (expires_at);
create index email_change_expiry on email_change (expires_at);
create index caller_origin_seen on caller_origin (seen_at);
create index support_message_created on support_message (created_at);
