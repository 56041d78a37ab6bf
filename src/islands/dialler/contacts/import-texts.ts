import { messages } from '#lib/i18n/messages.ts'

/** Of the import from an address book. */
export const importTexts = messages('contacts-import', {
  title: 'Import contacts',
  intro:
    "Choose a .vcf file from your phone's or computer's address book. You'll see what's in it before anything is saved.",
  chooseFile: 'Choose a file',
  choosePhone: 'Choose from this phone',
  reading: 'Reading…',
  unread: "We couldn't read this file. Choose a .vcf file exported from an address book.",
  empty: 'There are no contacts in this file. Choose a .vcf file exported from an address book.',
  tooLarge: 'This file is larger than 20 MB. Export fewer contacts, or leave out their pictures.',

  nothingNew: 'Nothing new to save.',
  ready: '{count, plural, one {# contact} other {# contacts}} ready to save.',
  alreadySaved: '{count, number} saved already.',
  leftOut: '{count, number} left out.',
  broken: '{count, plural, one {# contact} other {# contacts}} in the file could not be read to the end.',
  cut: 'Only the first {count, number} contacts of the file are read.',
  numbersIn: 'Numbers without a country code are in',
  country: '{name} {dialCode}',
  readyList: 'Ready to save',
  leftOutList: 'Left out',
  nameless: 'A card without a name',
  noNumber: 'It has no phone number.',
  /** Behind the name of a contact with several numbers. */
  kind: ' ({kind, select, mobile {mobile} work {work} other {home}})',

  cancel: 'Cancel',
  save: 'Save {count, plural, one {# contact} other {# contacts}}',
  progress: 'Saved {done} of {total}',
  failed: '{reason} Save again to go on.',
  failedHalfway:
    '{count, plural, one {# contact} other {# contacts}} saved, but: {reason} Save again to go on.',
  somebodyElse: "You're now logged in as somebody else.",
  saved: '{count, plural, one {# contact} other {# contacts}} saved.',
  skipped: '{count, plural, one {# contact} other {# contacts}} left out.',
  done: 'Done',
})
