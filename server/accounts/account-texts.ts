import { messages } from '#lib/i18n/messages.ts'

export const answers = messages('account-answers', {
  wrong_confirmation: "That isn't your account's e-mail address. Check it and try again.",
  call_in_progress: "You're in a call. Hang up, then delete your account.",
  payment_in_progress: "One of your payments is under way. Wait until it's done, then delete your account.",
  refund_in_progress:
    "A refund you asked for is under way. If it fails, its credits need an account to return to. Wait until it's done, then delete your account.",
  booklet_in_review:
    'A booklet you bought is under review, so nobody has its code yet. Wait for the review, or ask our support for a refund, then delete your account.',
  exportBusy: "We're already putting your data together.",
  exportTooSoon: "You've just downloaded your data.",
  changeLinkExpired: 'This link has been used or replaced, or is older than 24 hours. Ask for a new one.',
  emailTaken: 'This address now has its own account, so yours keeps its current address.',
  cardStays:
    "We can't reach our payment provider, so your card is still saved. Auto top-up is off. Try again in a minute.",
  verifyLinkExpired: 'This link has been used or is older than 24 hours. Ask for a new one.',
  resetLinkExpired: 'This link has been used or is older than 30 minutes. Ask for a new one.',
  tooManyLogins: 'Too many attempts to log in failed.',
  noMatch: "That e-mail and password don't match. Check both and try again.",
  logInAgain: 'Please log in again.',
  tooManyPasswords: 'Too many wrong passwords.',
  wrongPassword: "That isn't your current password. Check it and try again.",
  googleAgain: 'Log in with Google again, then do this within 10 minutes.',
  enterPassword: "Enter your password so we know it's you.",
  unknownLogin: "We don't recognise this login. Go back and start again.",
})
