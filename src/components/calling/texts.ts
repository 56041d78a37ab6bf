import { messages } from '#lib/i18n/messages.ts'

/** The page of a country. */
export const callingTexts = messages('calling', {
  title: 'Call {place} from your browser',
  description:
    'Call {place} from your browser: {mobile} a minute to mobiles, {landline} to landlines. Local time and how to dial.',
  descriptionFree:
    'Call {place} from your browser: {mobile} a minute to mobiles, {landline} to landlines. First call free for {minutes, plural, one {# minute} other {# minutes}}. Local time and how to dial.',
  calls: 'Calls to {place}',
  callsToMobiles: 'Calls to mobiles in {place}',
  callsToLandlines: 'Calls to landlines in {place}',

  breadcrumb: 'Breadcrumb',
  destinations: 'Destinations',
  call: 'Call {place}',
  lede: 'Ring mobiles and landlines in {place} from your browser, from {rate} a minute.',
  firstFree:
    'Your first call to a mobile there is free for {minutes, plural, one {# minute} other {# minutes}}.',
  mobilesNotFree: "The free first call doesn't cover mobiles there.",
  buyCredits: 'Buy Credits',

  toMobiles: 'To mobiles',
  toLandlines: 'To landlines',
  perMinute: 'per minute',
  countryCodes: '{count, plural, one {Country code} other {Country codes}}',
  filledIn: 'already filled in for you',
  otherCodes: 'and {codes}',
  lasts: '{amount} lasts about',
  minutes: '{minutes, number} min',
  toAMobile: 'to a mobile',

  now: 'It is <time>00:00</time> in {place}',
  time: 'The time in {place}',
  zone: '{name}, {offset}: {difference}.',
  wakingHours: 'Waking hours in {place} are 7:00 to 22:00.',
  hours: '{from} to {to}',
  goodHours: '7:00 to 22:00 in {place} is {hours} in London.',
  goodHoursBySeason: '7:00 to 22:00 in {place} is {january} in London in January, {july} in July.',
  goodHoursEverywhere: "From {hours} in London, it's between 7:00 and 22:00 everywhere in {place}.",
  goodHoursEverywhereBySeason:
    "From {january} in London in January, {july} in July, it's between 7:00 and 22:00 everywhere in {place}.",
  awake: 'A good time to ring.',
  asleep: 'Most people there are asleep.',
  bySeason: '{january} in January, {july} in July',
  sameInJuly: '{january} in January, the same in July',
  sameTime: 'the same time as London',
  ahead: '{length} ahead of London',
  behind: '{length} behind London',
  wholeHours: '{hours, plural, one {# hour} other {# hours}}',
  hoursAndMinutes:
    '{hours, plural, one {# hour} other {# hours}} {minutes, plural, one {# minute} other {# minutes}}',

  howToDial: 'How to dial',
  example: 'A {line, select, mobile {mobile} landline {landline} other {mobile or landline}}',
  pick: 'Pick {name} in the dialler and we fill in the code.',
  noTrunk: 'Numbers in {place} are written without a leading zero: dial all the digits after {code}.',
  trunk:
    'Numbers in {place} are written with a leading {trunk}. From abroad, leave out the {trunk}. If you type it anyway, the dialler leaves it out for you.',
  someTrunk:
    'Numbers written with a leading {trunk} in {place} lose it from abroad. Others, such as {example}, are dialled as they are.',
  plusOne:
    "Dial +1, a three-digit area code and seven more digits. The 1 that people in {place} dial first is the country code itself, so don't dial it twice.",
  sharesPlusOne:
    '{count, plural, one {{place} shares +1 with the United States and Canada; its area code is {codes}. Dial all seven digits after it.} other {{place} shares +1 with the United States and Canada; its area codes are {codes}. Dial all seven digits after it.}}',

  prices: 'What calls cost',
  to: 'To',
  aMinute: 'A minute',
  beginning: 'beginning {prefixes}',
  firstCallFree: 'first call free for {minutes, plural, one {# minute} other {# minutes}}',
  notCovered: 'not covered by the free call',
  terms:
    'Charged by the minute from answer; part minutes are rounded up. No connection fee, and unanswered calls are free. New accounts get one free first call, worth up to {worth} and {longest, plural, one {# minute} other {# minutes}}. These prices apply when our number is shown; if showing your own costs more, the dialler says so first.',

  refused: "What we don't call",
  refusedText: 'We reject these before anything is charged, in {place} as everywhere else.',
  emergency: 'Emergency numbers: {numbers}',
  emergencyText: "They don't work from abroad. Use a phone in the country.",
  short: 'Short numbers',
  shortText: 'Service codes of a few digits only work within a country.',
  premium: 'Premium-rate numbers',
  premiumPlusOne: 'Area code 900 and exchange 976, premium rate',
  premiumText: 'Hotlines and votes that cost more than an ordinary call.',
  shared: 'Shared-cost numbers',
  sharedText: 'Service lines where caller and company split the price.',
  personal: 'Personal numbers',
  personalText: 'They forward calls to wherever somebody is, at any price.',
  pagers: 'Pagers',
  pagersText: 'They take messages, not calls.',
  global: 'Global codes',
  globalText: '{codes}: satellite phones, machine networks and services that belong to no country.',

  questions: 'Questions about {place}',
  others: 'Other destinations',
  allDestinations: 'All destinations',
})

/** What calls go to, as the list of prices calls it. */
export const lineTexts = messages('calling-lines', {
  mobilesAndLandlines: 'Mobiles and landlines',
  mobiles: 'Mobiles',
  landlines: 'Landlines',
  moreExpensive: 'More expensive numbers',
  northernCanada: 'Yukon, Northwest Territories, Nunavut',
  alaska: 'Alaska',
  vaticanCity: 'Vatican City',
  companies: 'Company and internet numbers',
  svalbard: 'Svalbard',
  easterIsland: 'Easter Island',
  galapagos: 'Galápagos',
  satellite: 'Satellite phones',
  cocosAndChristmas: 'Cocos and Christmas Islands',
  chatham: 'Chatham Islands',
  nakhchivan: 'Nakhchivan',
})
