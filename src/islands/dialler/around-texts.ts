import { messages } from '#lib/i18n/messages.ts'

/** What loads once the phone is usable. */
export const aroundTexts = messages('dialler-around', {
  askSource: 'One question, if you have a moment: <link>how did you hear about us?</link>',
  noThanks: 'No, thanks',
  dismiss: 'Dismiss',
  how: 'How',
  sendAgain: 'Send again',
  sound: 'Sound',
  newVersion: 'A new version of Farline is ready.',
  reload: 'Reload',
  later: 'Later',
  signUp: 'Sign up',
  firstCallFree: 'Your first call is free',
  lead: 'Sign up with an e-mail address and ring any mobile or landline. No card needed, nothing to install.',
  register: 'Register',
  login: 'Login',
  tipRates: 'Rates from about 2¢ a minute, shown before you call',
  tipCredits: 'Credits never expire',
  tipMoneyBack: '7-day money-back guarantee',
  contactsAndCalls: 'Contacts and recent calls',
  recentCalls: 'Recent calls',
  callHistory: 'Call history',
})
