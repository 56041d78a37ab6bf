-- The language of the page that the user read last, as a BCP 47 tag: for e-mails, and for what happens without a page.

alter table app_user add column language text not null default 'en' check (char_length(language) <= 35);
