import { messages } from '#lib/i18n/messages.ts'

export const faultTexts = messages('number-faults', {
  unfinished: 'Too short so far',
  tooLong: 'Too long for a number',
  noNumber: 'Not a number yet',
  noNumberIn: 'Not a number in {place}',
})
