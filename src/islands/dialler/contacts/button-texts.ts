import { messages } from '#lib/i18n/messages.ts'

/** Of the button in the dialler's bar, which loads before the contacts. */
export const button = messages('contacts-button', {
  contacts: 'Contacts',
  signUp: 'Sign up to save contacts',
})
