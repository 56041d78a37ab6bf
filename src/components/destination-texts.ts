import { messages } from '#lib/i18n/messages.ts'

/** The list of all destinations. */
export const destinationTexts = messages('destinations', {
  title: 'Destinations',
  description:
    'What a minute costs to mobiles and landlines in every country we call, and how long a first call there is free.',
  lede: 'What one minute costs, country by country: mobiles in large print, landlines in small.',
  ledeFree: 'Next to the code, how long your first call to a mobile is free.',
  search: 'Search countries by name or code',
  placeholder: 'Search countries...',
  found: '{count, plural, one {# destination} other {# destinations}}',
  byLetter: 'By letter',
  notFound:
    "We couldn't find a country with that name or code. Check the spelling, try the code the number begins with, such as 44, or <all>see all destinations</all>.",
  free: '{minutes, number} min free',
  noFreeCall: 'no free call',
  landline: 'landline {rate}',
})
