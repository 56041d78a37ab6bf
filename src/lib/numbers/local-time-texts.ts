import { messages } from '../i18n/messages.ts'

export const localTimeTexts = messages('local-time', {
  there: 'there',
  inPlace: 'in {place}',
  time: '{time} {where}',
  asleep: 'asleep until 7',
  maybeAsleep: 'may be asleep',
  night: "It's {time} {place}. They may be asleep.",
})
