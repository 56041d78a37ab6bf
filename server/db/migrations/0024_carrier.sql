-- Calls on a network that no process carries: any may ask about them, and is told of them (ADR-30).

-- `carrier_leg`: what such a network calls the caller's leg; null on calls of this server's own exchange.
-- `inquire_at`: when the network is next asked how the call stands; whoever asks moves it on first, so that no other does.
-- `tended_until`: until when a process is about to hang it up, or to tell its raised limit.
-- `hang_up`: why we had it hung up (`HangUpReason`), since such a network does not say who ended a call.
alter table call
  add column carrier_leg text,
  add column inquire_at timestamptz,
  add column tended_until timestamptz,
  add column hang_up text;
