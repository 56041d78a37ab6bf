import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('address-change-mails', {
  changeSubject: 'Confirm your new e-mail for {company}',
  changePreview: 'One tap, and your account moves to this address.',
  changeHeading: 'Confirm your new e-mail',
  changeText:
    'Somebody, probably you, asked to move their {company} account to this e-mail address. Until you confirm it, the account keeps its current address.',
  changeGoogle:
    'From then on, only the Google account with this address can log in to it. If you don\'t have a password, set one with "Forgot password?" on the login page.',
  confirm: 'Confirm new e-mail',
  changeFootnote:
    "The link works once, within 24 hours. Didn't ask for it? Ignore this e-mail and nothing will happen.",
  inUseSubject: 'This address already has a {company} account',
  inUsePreview: 'Somebody asked to move another account here.',
  inUseHeading: 'This address already has an account',
  inUseText:
    'Somebody, maybe you, asked to move another {company} account to this e-mail address. It already has its own account, so nothing was changed.',
  inUseYou:
    "Was it you? Log in with this address to use that account. You can reset its password if you've forgotten it.",
  logIn: 'Log in',
  inUseFootnote: "Wasn't you? Ignore this e-mail: your account and password haven't changed.",
  changedSubject: "Your {company} account's e-mail was changed",
  changedPreview: "If this was you, there's nothing to do.",
  changedHeading: 'Your account has a new e-mail',
  changedText:
    "Your {company} account has moved to another e-mail address, confirmed by a link we sent there. From now on you log in with that one, also with Google, and this is the last message to the old one. If this was you, there's nothing to do.",
  changedNotYou:
    "Wasn't you? Write to {support} right away, ideally by replying from this address: somebody who could log in has moved your account. We'll stop it and give it back to you.",
  changedFootnote: "You're getting this e-mail because a {company} account used this address.",
})
