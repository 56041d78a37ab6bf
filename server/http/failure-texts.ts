import { messages } from '#lib/i18n/messages.ts'

export const answers = messages('answers', {
  invalid_request: "Something in the request isn't right. Check it and try again.",
  unauthorized: 'Please log in again.',
  forbidden_origin: 'This request came from another site and was refused.',
  not_found: "There's nothing here.",
  too_large: 'That is too much at once.',
  too_many_requests: 'That was too much at once. Wait a little and try again.',
  internal: 'Something went wrong. Please try again.',
  unavailable: 'We are busy right now. Please try again in a moment.',
  tooMuch: 'That was too much at once.',
  waitMinutes: 'Wait {minutes, plural, one {a minute} other {# minutes}} and try again.',
  waitHours: 'Wait {hours, plural, one {# hour} other {# hours}} and try again.',
})
