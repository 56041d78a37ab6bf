import { messages } from '#lib/i18n/messages.ts'

/** What became of saving a contact. */
export const contactTexts = messages('saved-contacts', {
  saved: 'Contact saved!',
  saveFailed: 'Could not save contact.',
  saveUnanswered: 'Something went wrong.',
  changeFailed: "We couldn't save your changes.",
})
