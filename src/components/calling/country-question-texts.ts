import { messages } from '#lib/i18n/messages.ts'

export const questionTexts = messages('country-questions', {
  cost: 'What does a call to {place} cost?',
  costBoth:
    "{rate} a minute to mobiles and landlines, from the moment somebody answers. Ten minutes cost {ten}. There's no connection fee, part minutes are rounded up, and unanswered calls are free.",
  costEach:
    "{mobile} a minute to mobiles and {landline} a minute to landlines, from the moment somebody answers. Ten minutes to a mobile cost {ten}. There's no connection fee, part minutes are rounded up, and unanswered calls are free.",

  free: 'Is my first call to {place} free?',
  freeYes:
    'Yes, for {minutes, plural, one {# minute} other {# minutes}}. New accounts get one free call, worth up to {worth} and {longest, plural, one {# minute} other {# minutes}}.',
  freeEach:
    'Yes, for {mobile, plural, one {# minute} other {# minutes}} to a mobile, {landline, plural, one {# minute} other {# minutes}} to a landline. New accounts get one free call, worth up to {worth} and {longest, plural, one {# minute} other {# minutes}}.',
  freeLandline:
    'To a landline, for {minutes, plural, one {# minute} other {# minutes}}. New accounts get one free call, worth up to {worth} and {longest, plural, one {# minute} other {# minutes}}. At {rate}, a single minute to a mobile costs more than that, so that needs credits.',
  freeNo:
    "No. New accounts get one free call, worth up to {worth} and {longest, plural, one {# minute} other {# minutes}}. At {rate}, a single minute to a landline there costs more than that, so you'd need credits. You keep your free call for another country.",

  codes: 'Which code is right: {codes}?',
  codesAnswer:
    'The one your number begins with. {codes} all lead to {place} at the same price, and none belongs to a particular town or company.',

  sharedCode: 'Do all numbers with {code} belong to {place}?',
  sharedCodeAnswer:
    '{count, plural, one {No. {places} uses {code} as well, at different prices. A minute to a mobile costs: {prices}. The number decides, and the dialler shows its price before you call.} other {No. {places} use {code} as well, at different prices. A minute to a mobile costs: {prices}. The number decides, and the dialler shows its price before you call.}}',
  priceTo: '{place} {rate}',

  plusOne: 'Is every number with +1 in {place}?',
  plusOneUnitedStates:
    'No. Canada, Bermuda and much of the Caribbean share +1, and the area code tells them apart: 876 is Jamaica, 809 the Dominican Republic. The dialler shows the price of your number before you call.',
  plusOneCanada:
    'No. The United States, Bermuda and much of the Caribbean share +1, and the area code tells them apart: 876 is Jamaica, 809 the Dominican Republic. The dialler shows the price of your number before you call.',

  risky: 'Why might my call to {place} not connect?',
  riskyAnswer:
    '{code} is one of the codes we warn about: “{caution}” You can still call, and you only pay if somebody answers.',

  type: 'My number is written {written}. What do I type?',
  typeAnswer:
    "Pick {name} in the dialler and type it the way it's written there, or paste the whole number, {international}. Either way, you see it in full below the field before you call.",

  expensive: 'Which numbers in {place} cost more?',
  expensiveAnswer:
    'Those beginning with {prefixes}, up to {rate} a minute. The dialler shows the price of your number before you call.',
})
