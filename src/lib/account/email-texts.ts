import { messages } from '../i18n/messages.ts'

/** Also where no schema is loaded, such as at the login. */
export const emailTexts = messages('email', {
  noAt: "That isn't an e-mail address yet. It needs an @, like you@example.com.",
})
