import { messages } from '../i18n/messages.ts'

/** What is wrong with a contact that was sent. */
export const contactFaults = messages('contact-faults', {
  nameless: 'Enter a name for this contact.',
  nameTooLong: 'Use at most {max} characters for the name.',
  notesTooLong: 'Use at most {max} characters for the notes.',
  extension: 'The extension takes digits, *, # and commas, at most 40.',
  numberTooLong: 'This number is too long. Check it and try again.',
  dialCode: 'The dial code needs a plus and one to four digits.',
  countryCode: 'The country code needs two capital letters.',
  internationalNumber: 'The number needs a plus and its country code.',
  noContacts: 'Choose at least one contact.',
  manyContacts: 'Send at most {max} contacts at a time.',
})
