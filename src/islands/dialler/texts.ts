import { messages } from '#lib/i18n/messages.ts'

/** What the page shows at once. What loads after the phone has texts of its own. */
export const texts = messages('dialler', {
  phone: 'Phone',
  call: 'Call',
  hangUp: 'Hang up',
  useAPhone: 'Use a phone',
  mute: 'Mute',
  muted: 'Muted',
  muteKeys: 'Mute (Ctrl+Shift+M)',
  unmuteKeys: 'Unmute (Ctrl+Shift+M)',
  deleteLast: 'Delete last digit',
  firstCallFree: 'First call free',
  register: 'Register',
  freeCall: 'Free call',
  freeCallAvailable: 'Free Call Available',
  balance: 'Balance: {amount}',
  buyCredits: 'Buy Credits',
  opensTab: '(opens in a new tab)',
  country: 'Country: {name} {code}',
  phoneNumber: 'Phone number',
  enterNumber: 'Enter phone number',
  rateHint: 'The rate shows as you type',
  rate: '<price>{rate}</price> per minute',
  rateEstimate: '<price>{rate}</price> per minute (estimate)',
  rateNotFree: '<price>{rate}</price> per minute, no free call there',
  rateFree: '<price>{rate}</price> per minute, first {minutes, number} min free',
  callFrom: 'Call from',
  publicNumber: 'Public number',
  addCallerId: 'Add Caller ID',
  removeCallerId: 'Remove {number} from your caller IDs',
  checking: 'Checking the number and its price…',
  signUp: 'Sign up to start calling',
  priceUnread: "We couldn't get the price of this number. Try again in a moment.",
})

/** SPEC-4.10. */
export const statusTexts = messages('call-status', {
  disconnected: 'Call Disconnected',
  ringing: 'Ringing',
  inCall: 'In Call',
})

/** Parts of the server's messages that become links; its translations have them letter by letter. */
export const linkTexts = messages('message-links', {
  support: 'Contact support',
  profile: 'your profile',
})
