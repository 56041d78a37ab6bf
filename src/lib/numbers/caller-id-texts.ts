import { messages } from '../i18n/messages.ts'

export const callerIdTexts = messages('caller-id', {
  invalid: 'Enter a valid phone number with country code. Example: +447123456789',
  requestFailed: 'Could not start verification.',
})
