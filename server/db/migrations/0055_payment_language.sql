-- The language of the page from which a checkout was opened, as a BCP 47 tag: retries ask the provider for the same checkout, and it
-- leads back to a page of this language.

alter table payment add column language text not null default 'en' check (char_length(language) <= 35);
