import { messages } from '#lib/i18n/messages.ts'

export const faqTexts = messages('faq', {
  title: 'FAQ',
  description:
    'Answers about calling abroad from a browser: numbers and countries, what calls cost, the free call, credits and refunds, your account, and the sound.',
  heading: 'Questions',
  search: 'Search questions',
  groups: 'Groups',
  calling: 'Calling',
  credits: 'Credits and prices',
  account: 'Account',
  sound: 'Sound',
  found: '{count, plural, one {# answer} other {# answers}} for “{wanted}”',
  nothing: "Try another word, or just one. If it isn't here, ask us.",
  notAnswered: 'Not answered here?',
  write: "Write to us in London and we'll answer by e-mail.",
})
