import { messages } from '#lib/i18n/messages.ts'

/** What a page says by itself where the server said nothing. By the failure's code. */
export const texts = messages('session', {
  offline: "We can't reach the server. Check your connection and try again.",
  timeout: 'The server took too long to answer. Please try again.',
  aborted: 'The request was cancelled.',
  unexpected_reply: 'Something went wrong. Please try again.',
  unauthorized: 'Please log in to go on.',
})
