import { messages } from '../i18n/messages.ts'

/** What a number means for a call, whoever asks (SPEC-5.2 to SPEC-5.13, SPEC-8.12). */
export const numberTexts = messages('numbers', {
  emergency: '{company} does not support calling emergency services. Please use another phone.',
  unsupported: 'This destination is currently not supported.',
  unrecognised: 'Unrecognised number. Please check the number and try again.',
  tooShort: 'This number is too short. Check it and try again.',
})

/** Kinds of numbers that are never called, in any country (PD-64). */
export const rejectionTexts = messages('number-rejections', {
  premium_rate: "We don't call premium-rate numbers.",
  shared_cost: "We don't call shared-cost numbers.",
  personal_number: "We don't call personal numbers that forward calls.",
  pager: "We don't call pagers.",
})
