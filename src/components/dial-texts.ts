import { messages } from '#lib/i18n/messages.ts'

/** A number taken apart for callers from abroad. */
export const dialTexts = messages('dial', {
  countryCode: 'country code',
  putIn: 'put in',
  leaveOut: 'leave out',
  areaCode: 'area code',
  areaCodeZeroKept: 'area code, zero kept',
  networkCode: 'network code',
  rest: 'the rest',
  restZeroKept: 'the rest, zero kept',
  bothWays:
    'Written there as <home>{written}</home>, dialled from abroad as <abroad>{international}</abroad>.',
})
