import { messages } from '#lib/i18n/messages.ts'

export const identity = messages('identity', {
  guessable: "That password is easy to guess. Choose another, such as four words that don't belong together.",
  unknownDevice: 'Unknown device',
  browserOn: 'A browser on {system}',
  namedBrowserOn: '{browser} on {system}',
  disputed: 'A payment for your credits is disputed with your bank. Write to {support} to settle it.',
  fraud:
    'A bank reported a payment for your credits as fraud, so we sent it back. Write to {support} to settle it.',
})
