import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('keypad', {
  keypad: 'Keypad',
  star: '* star',
  hash: '# hash',
})
