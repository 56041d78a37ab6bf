import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('passkey', {
  unsupported: "This browser doesn't support passkeys. Use another browser, or another way to log in.",
  givenUp: 'No passkey was used. Try again, or choose another way.',
  thereAlready: 'This device already has a passkey for your account.',
})
