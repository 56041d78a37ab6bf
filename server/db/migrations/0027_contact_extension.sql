-- What is played to whoever answers: digits, and a comma for a pause of 2 s. Null: nothing.
alter table contact add column extension text check (extension ~ '^[0-9*#,]{1,40}$');
