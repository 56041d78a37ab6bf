import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('top-up', {
  topUp: 'Top up {amount}',
  callAgain: 'Top up {amount} and call again',
  opening: 'Opening…',
  newTab: ' (opens in a new tab)',
  popUpBlocked: 'Your browser blocked the new tab. Allow pop-ups for this site, then press again.',
})
