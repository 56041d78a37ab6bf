import { messages } from '#lib/i18n/messages.ts'

export const answers = messages('caller-id-answers', {
  unavailable: 'Could not start verification. Please try again in a minute.',
  lost: 'Could not start verification. If the phone rings, hang up. Please try again in a minute.',
  notVerifiable: "We can't verify this number for your account. Contact support for help.",
  alreadyVerified: "You've already verified this number. Choose it under Call from.",
  justCalled: 'We just made a call to verify a number. {again}',
  perAccount:
    'We make {max, plural, one {# verification call} other {# verification calls}} a day for each account. {again}',
  perCallee: 'We ring a number {max, plural, one {# time} other {# times}} a day to verify it. {again}',
  allMade: "We've made all of today's verification calls. {again}",
  perConnection: 'Your connection has asked for many verification calls today. {again}',
  again: 'Try again in {wait}.',
  againOrOther: 'Try again in {wait}, or verify another number.',
  seconds: '{seconds, plural, one {# second} other {# seconds}}',
  minutes: '{minutes, plural, one {# minute} other {# minutes}}',
  hours: '{hours, plural, one {# hour} other {# hours}}',
})
