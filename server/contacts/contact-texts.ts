import { messages } from '#lib/i18n/messages.ts'

/** Why a contact was not saved. A name is isolated (U+2068, U+2069): it may be written in the other direction. */
export const contactAnswers = messages('contact-answers', {
  alreadySaved: 'This number is already saved as \u2068{name}\u2069.',
  full: 'You can have up to {max} contacts. Delete one to save another.',
  favouritesFull: 'You can have up to {max} favourites. Remove one first.',
  emergency: "We can't call emergency numbers, so you can't save one. In an emergency, use a phone nearby.",
  refused: "{reason}, so you can't save one.",
  noNumber: 'Enter a phone number.',
})
