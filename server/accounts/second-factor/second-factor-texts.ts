import { messages } from '#lib/i18n/messages.ts'

export const secondFactor = messages('second-factor-answers', {
  passwordRight:
    "Your password is right. Now we need your second factor. If this page doesn't ask for it, reload it and log in again.",
  stepExpired: 'That took longer than 10 minutes. Please start again.',
  setUpExpired: 'That took longer than an hour. Please start again.',
  tooManyCodes: 'Too many wrong codes.',
  tooManyCodesHere:
    "Too many wrong codes. You can still enter one in a browser you've logged in with before.",
  wrongCode: "That code isn't right, or has been used. Use the one your app shows right now.",
  wrongNewCode:
    "That code isn't right. Use the one your app shows right now, and check that its clock is right.",
  unknownPasskey:
    "That passkey doesn't belong to an account here. Choose another one, or log in another way.",
  passkeyRefused: "That passkey didn't work. Try again, or use another device.",
  tooManyPasskeys: 'An account can have up to {max} passkeys. Remove one you no longer use.',
  noSecondFactor: 'Recovery codes stand in for a second factor. Add a passkey or an authenticator app first.',
})
