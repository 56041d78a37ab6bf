import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('stamp-album', {
  title: 'Your stamps',
  loading: 'Loading your stamps',
  none: "Call somebody abroad. Once they answer, their country's stamp is yours, postmarked with the day.",
  year: '{year}: {countries, plural, one {# country} other {# countries}}, {talk}, {money}',
  noCalls: '{year}: no answered calls yet',
  free: 'free',
  minutes: '{minutes} min',
  hours: '{hours} h',
  hoursAndMinutes: '{hours} h {minutes} min',
  countries: 'Countries',
  showAll: 'Show all {count, number} stamps',
  destinations: 'See all destinations',
  aMinute: 'a minute',
  firstCall: '<label>First call on </label><day>{date}</day>',
  notCalled: 'Not called yet',
})
