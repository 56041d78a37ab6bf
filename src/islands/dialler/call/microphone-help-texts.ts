import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('microphone-help', {
  title: 'Allow the microphone',
  why: "The person you call hears you through your microphone, so we can't start the call without it.",
  first: 'Choose the icon at the left end of the address bar.',
  second: 'Find Microphone there and set it to Allow.',
  third: 'Come back to this page and press Call again.',
  blocked: "If it's allowed but still blocked, check the microphone in your device's privacy settings.",
})
