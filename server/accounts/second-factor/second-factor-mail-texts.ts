import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('second-factor-mails', {
  subject:
    '{what, select, passkey_added {A passkey was added to your {company} account} passkey_removed {A passkey was removed from your {company} account} authenticator_added {An authenticator app was added to your {company} account} authenticator_removed {The authenticator app was removed from your {company} account} recovery_codes_made {New recovery codes were created for your {company} account} recovery_code_used {A recovery code was used to log in to your {company} account} other {We removed the second factors from your {company} account}}',
  preview: "{time}. If this was you, there's nothing to do.",
  heading:
    '{what, select, passkey_added {You have a new passkey} passkey_removed {A passkey was removed} authenticator_added {An authenticator app was added} authenticator_removed {The authenticator app was removed} recovery_codes_made {You have new recovery codes} recovery_code_used {A recovery code was used} other {Your second factors were removed}}',
  text: "{what, select, passkey_added {From now on you can log in with this passkey, on its own or after your password.} passkey_removed {It can no longer be used to log in here. You can delete it from your device as well.} authenticator_added {From now on, we'll ask for a code from this app when you log in.} authenticator_removed {We no longer ask for its codes when you log in.} recovery_codes_made {Your old ones no longer work.} recovery_code_used {Somebody, hopefully you, logged in with your password and one of your recovery codes. That code is now used up.} other {Our support team removed your passkeys, your authenticator app and your recovery codes, because we were told you'd lost them all. Every device is logged out. For now, you log in with just your password or Google.}}",
  passkey: 'Passkey: {name}',
  codesLeft: 'Recovery codes left: {left, number}',
  time: 'Time: {time}',
  notYou:
    "Wasn't you? Change your password right away, which logs out every other device. Then remove anything you don't recognise from your profile, and write to {support}.",
  resetNotYou:
    'Didn\'t ask us to? Change your password right away with "Forgot password?" on the login page, and write to {support}. If it was you, set up a new second factor in your profile.',
  logIn: 'Log in',
  seeSecurity: 'See your security settings',
  security: "You're getting this e-mail because it's about the security of your {company} account.",
  triedSubject: 'Somebody tried codes to get into your {company} account',
  triedPreview: "If it wasn't you, change your password.",
  triedHeading: 'Somebody tried to guess your code',
  triedText:
    'Somebody knew your password, or could use your Google account, and then entered several wrong codes. This is what your second factor is for: nobody gets in without the right code, and we only accept a few tries a day.',
  triedNotYou:
    "Wasn't you? Change your password now, so the old one stops working. If you log in with Google, check your Google account as well. Write to {support} if you'd like help.",
  triedYou:
    "Was it you? Use the code your app shows right now, or a passkey. In a browser you've logged in with before, nobody else can lock you out.",
  changePassword: 'Change your password',
  triedFootnote:
    "We send this at most once a day, because it's about the security of your {company} account.",
})
