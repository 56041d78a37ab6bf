import { messages } from '#lib/i18n/messages.ts'

/** The page for an address that leads nowhere, and the one without a connection. */
export const lost = messages('lost', {
  title: 'No such address',
  description: 'This page has moved or never existed.',
  envelope: 'An envelope stamped return to sender',
  returnToSender: 'Return to sender',
  text: 'This page has moved or never existed. Your phone line still works.',
  didYouMean: 'Did you mean <place>the home page</place>?',
  home: 'Go to the home page',
  maybe: 'Maybe one of these',
  destinations: 'Destinations and rates',
  callHistory: 'Call history',
  callsTo: 'Calls to {place}',
  offline: 'Offline',
  offlineDescription:
    "We can't reach the site right now. It will come back on its own once you're connected.",
  lineDown: 'The line is down',
  notReached:
    "We can't reach {company} right now. We'll keep trying, and this page will open on its own once we can.",
  youAreOffline:
    "You're offline. Calls need an internet connection. This page will open on its own once you're back online.",
  tryAgain: 'Try again',
})
