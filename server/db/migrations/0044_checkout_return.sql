-- returns_to: the page that a cancelled checkout leads back to, the dialler ('call') or Buy Credits.
alter table payment add column returns_to text not null default 'buy_credits';
