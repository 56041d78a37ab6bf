import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('google-mails', {
  linkedSubject: 'You can now log in to {company} with Google',
  linkedPreview: 'Your password, if you have one, still works.',
  linkedHeading: 'You can now log in with Google',
  linkedText:
    'Somebody, hopefully you, logged in to your {company} account with the Google account for this e-mail address. From now on you can log in that way; your password, if you have one, still works.',
  linkedNotYou:
    "Wasn't you? Somebody else can use your Google account, so secure that first. After that, change your password here with the button below: it logs everybody out, and unlinks Google until you log in with it again. And write to {support}.",
  notMe: "This wasn't me",
  security: "You're getting this e-mail because it's about the security of your {company} account.",
  asideSubject: 'Your {company} account is yours alone',
  asidePreview: 'Somebody had started to register with your address.',
  asideHeading: 'Somebody had started to register before you',
  asideText:
    "Before {by, select, google {you logged in with the Google account for this e-mail address} other {you confirmed this e-mail address}}, somebody registered for {company} with it and never confirmed it. That may have been you. Since we can't know, we reset everything: the old password no longer works, every device was logged out, links in earlier e-mails are void, and contacts, caller IDs and any saved card were removed. Credits that were bought are in your balance.",
  asideHow:
    "There's nothing to do. {by, select, google {You log in with Google; you can add a password in your profile.} other {You log in with the password you chose when you confirmed it.}} If you see a payment in your billing history that isn't yours, please write to us before you use its credits.",
  seeProfile: 'See your profile',
})
