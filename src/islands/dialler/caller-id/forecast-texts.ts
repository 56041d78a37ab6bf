import { messages } from '#lib/i18n/messages.ts'

export const forecastTexts = messages('caller-id-forecast', {
  button: '{forecast}<more> in {place}. Why?</more>',
  title: 'What they see in {place}',
  explained: '<outcome>{forecast}.</outcome> {reason}',
  source: 'Source: <link>{name}</link>',
  more: 'A forecast, not a promise. <link>More about your own number</link>',
  unknown:
    "Networks abroad may hide or replace the number on a call from another country. We can't tell in advance.",
  foreign: "The rules in {place} only affect that country's own numbers. Others usually get through.",
  unsure:
    "Networks in {place} may hide, replace or flag the number on a call from another country. We can't tell when.",
  withheld: 'A number from {place} may be hidden or flagged there on a call from abroad.',
  othersBetter: 'A number from another country gets through more often.',
  stopped:
    'Networks in {place} block calls from abroad that show a number from {place}, or replace the number.',
  publicBetter: 'The public number gets through more often.',
})

export const outcomeTexts = messages('caller-id-outcomes', {
  shown: 'Likely shown',
  hidden: 'May be hidden',
  blocked: 'May be blocked',
})

/** Who made the rule and when, by the country's ISO code or another name. */
export const sourceTexts = messages('caller-id-sources', {
  carrier: "Our carrier's guidelines for this country",
  survey: 'Survey of European rules, EU-ETC',
  AT: 'RTR, anti-spoofing regulation, since September 2024',
  BE: 'BIPT, Royal Decree of 12 May 2024',
  DE: 'Telecommunications Act (TKG), section 120, since December 2022',
  ES: 'Order TDF/149/2025, article 5, since June 2025',
  FI: 'Traficom, Regulation 28, since October 2023',
  FR: 'Arcep, numbering plan, since January 2026',
  GB: 'Ofcom, guidance on calls from abroad, since January 2025',
  IN: 'Department of Telecommunications, directions of May 2024',
  IT: 'AGCOM, resolutions 106/25/CONS and 271/25/CONS, since November 2025',
  MT: 'Malta Communications Authority, since November 2024',
  NO: 'Nkom, blocking by all mobile operators, since December 2024',
  SE: 'PTS, regulations of November 2024 and March 2025',
  SG: 'IMDA, blocking of +65 from abroad, announced in January 2024',
  US: 'FCC 22-37, duties of gateway providers, since September 2022',
})
