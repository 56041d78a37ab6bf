import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('google-button', {
  here: 'Continue with Google',
  leaving: 'Going to Google…',
  arriving: 'Logging you in…',
  orEmail: 'or with e-mail',
})
