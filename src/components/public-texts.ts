import { messages } from '#lib/i18n/messages.ts'

/** What parts of several public pages say. */
export const publicTexts = messages('public', {
  startCalling: 'Start Calling',
  aMinute: 'a minute',
  from: 'From',
  to: 'To',
  yourBrowser: 'Your browser',
  mumAt: 'Mum, {town}',
  noneFree: "The free first call doesn't cover any of these.",
  allFree: 'A first call to any of these is free for {minutes, plural, one {# minute} other {# minutes}}.',
  someFree:
    'A first call to some of these is free, for up to {minutes, plural, one {# minute} other {# minutes}}.',
  freeFromTo:
    'A first call to these is free for {shortest, number} to {longest, plural, one {# minute} other {# minutes}}.',
  noScript: 'Without JavaScript, this shows one example.',
  noScriptRates: 'All rates are at <destinations>Destinations</destinations>.',
  postmarkTop: 'FIRST CALL',
  postmarkBottom: 'NEW CALLERS',
  postmarkMiddle: 'Free',
})
