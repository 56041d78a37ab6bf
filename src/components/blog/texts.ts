import { messages } from '#lib/i18n/messages.ts'

export const blogTexts = messages('blog', {
  blog: 'Blog',
  blogPage: 'Blog, page {page}',
  description:
    'Notes on calling abroad, from the people who make {company}: time zones, number formats, caller ID and what a call costs.',
  letters: 'Letters',
  lettersPage: 'Letters, page {page}',
  lede: 'Notes on calling abroad, from the people who make {company}.',
  subjects: 'Subjects',
  page: 'Page {page}',
  pages: 'Pages',
  pageOf: 'Page {page} of {last}',
  newer: 'Newer letters',
  older: 'Older letters',
  lettersOn: 'Letters on {tag}',
  lettersOnPage: 'Letters on {tag}, page {page}',
  tagDescription: 'What {company} has written about {tag} for people who call abroad.',
  toRead: '{minutes, plural, one {# minute} other {# minutes}} to read',
  changed: 'Changed',
  draft: 'Draft',
  inThisLetter: 'In this letter',
  tryIt: 'Try it on a real number',
  freeCall: 'Your first call is free: worth up to {worth} and {minutes, number} minutes.',
  moreLetters: 'More letters',
  newerLetter: 'Newer letter',
  olderLetter: 'Older letter',
  inEnglish: 'Our letters are written in English.',
  call: 'Call {place}',
  callTerms:
    '{price} a minute to mobiles<offer>{free, plural, =0 {} one {; a first call is free for # minute} other {; a first call is free for # minutes}}</offer>.',
  aMinute: 'a minute to mobiles',
  freeThere: 'A first call there is free for {minutes, plural, one {# minute} other {# minutes}}.',
  rounded: 'Part minutes are rounded up.',
  allRates: 'All rates to {place}',
})

/** Subjects of letters, by their tag. One that is not here is shown as its tag is written. */
export const tagTexts = messages('blog-tags', {
  banks: 'banks',
  'caller-id': 'caller ID',
  dialling: 'dialling',
  nanp: 'NANP',
  numbers: 'numbers',
  prices: 'prices',
  sound: 'sound',
  'time-zones': 'time zones',
  travel: 'travel',
})
