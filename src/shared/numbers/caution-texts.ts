import { messages } from '#lib/i18n/messages.ts'

/** What is to be known before a number is called. It can still be called (SPEC-5.5). */
export const cautionTexts = messages('cautions', {
  risky: 'Caution: This number may be blocked or fail to connect.',
  /** Free only within its country; may not accept calls from abroad. */
  tollFree: 'Toll-free there only: you pay our rate, and it may reject calls from abroad.',
  highRate: '{rate} a minute, {times}× the usual rate.',
  surcharge: 'Your own number adds {surcharge} a minute there. Public number: {publicRate}.',
  /** After `highRate`, where the line has room for no more. */
  shortSurcharge: 'Your number adds {surcharge}.',
})
