import { messages } from '#lib/i18n/messages.ts'

/** What the pictures without words show. */
export const ogTexts = messages('og', {
  stamp: 'A postage stamp of {company} with the dial of a telephone.',
  landing: 'A postage stamp of {company} with a globe: {rate} a minute.',
  destinations: 'A postage stamp of {company} with telephone wires.',
  faq: 'A postage stamp of {company} with a telephone.',
  country: 'A postage stamp of {company} with the flag of {place}: {rate} a minute to mobiles.',
})
