import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('registration-mails', {
  confirmSubject: 'Confirm your e-mail for {company}',
  confirmPreview: 'One tap and your free call is ready.',
  confirmHeading: 'One tap, and your free call is ready',
  confirmText: 'Please confirm that this is your e-mail address. After that, you can call.',
  confirm: 'Confirm e-mail',
  confirmFootnote:
    "The link works once, within 24 hours. Didn't sign up? Ignore this e-mail and nothing will happen.",
  knownSubject: 'You already have a {company} account',
  knownPreview: 'Somebody tried to sign up with this address.',
  knownHeading: 'You already have an account',
  knownText:
    'Somebody, probably you, tried to sign up for {company} with this e-mail address. It already has one, so nothing was changed.',
  logIn: 'Log in',
  knownFootnote: "Wasn't you? Ignore this e-mail: your account and password haven't changed.",
})
