import { messages } from '#lib/i18n/messages.ts'

/** Why a call was refunded. */
export const credit = messages('call-credit', {
  short: 'Refund, under 10 seconds',
  no_sound: 'Refund, no sound came back',
  claim: 'Refund, bad call',
  restart: 'Refund, we restarted during your call',
})
