-- Keyed hash of the IPv6 /32 from which a user was seen last; null for IPv4.
alter table caller_origin add column allocation bytea;
