-- What a user wrote beside a saved number. Null: nothing.
alter table contact add column notes text check (char_length(notes) between 1 and 500);
