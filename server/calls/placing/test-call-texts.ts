import { messages } from '#lib/i18n/messages.ts'

export const testCall = messages('test-call-answers', {
  notOwn: 'A test call goes to your own number. Verify it first, under Call from.',
  tooSoon: "You've used this week's test call. The next one is free {when}.",
  tooExpensive: 'A test call covers numbers up to {max} a minute. Yours costs more.',
  tooMany: 'Too many test calls from your connection or to this number. Try again later.',
  dayOver: 'There are no test calls left today. Try again tomorrow.',
  inHours: '{hours, plural, one {within the hour} other {in # hours}}',
  inDays: '{days, plural, one {in # day} other {in # days}}',
})
