import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('password-mails', {
  resetSubject: 'Choose a new {company} password',
  resetPreview: 'The link works for 30 minutes.',
  resetHeading: 'Choose a new password',
  resetDisputed:
    "{email} was registered for {company} more than once, with different passwords, and hasn't been confirmed yet. We can't know which one is yours, so choose a new one now. That confirms the address as well and replaces everything chosen before. The link works once, within 30 minutes.",
  resetText:
    'Somebody, hopefully you, asked to reset the password for {email}. The link works once, within 30 minutes.',
  chooseNew: 'Choose a new password',
  disputedFootnote: "Wasn't you? Ignore this e-mail. Nobody can call until the address is confirmed.",
  resetFootnote: "Didn't ask for this? Ignore this e-mail. Your password stays as it is.",
  changedSubject:
    'Your {company} account {how, select, first {was given a password} other {has a new password}}',
  nothingToDo: "If this was you, there's nothing to do.",
  changedHeading: '{how, select, first {Your account has a password now} other {Your password was changed}}',
  changedText:
    "Your {company} account {how, select, first {was given a password. Every other device has been logged out.} changed {has a new password. Every other device has been logged out.} reset {has a new password. Every device has been logged out.} other {has a new password. Every device has been logged out. From now on, only the Google account with this e-mail address can log in to it.}} If this was you, there's nothing to do.",
  changedNotYou:
    "Wasn't you? Change your password right away with the button below: that logs everybody out, including anyone who came in through Google. Then check your profile and call history, and write to {support} if anything isn't yours.",
  notMe: "This wasn't me",
  security: "You're getting this e-mail because it's about the security of your {company} account.",
})
