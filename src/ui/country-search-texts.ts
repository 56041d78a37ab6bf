import { messages } from '#lib/i18n/messages.ts'

export const countrySearchTexts = messages('country-search', {
  search: 'Search countries',
  placeholder: 'Search countries...',
  list: 'Countries',
  none: 'No country matches. Try its name or dial code.',
  found: '{count, plural, one {# country} other {# countries}}',
})
