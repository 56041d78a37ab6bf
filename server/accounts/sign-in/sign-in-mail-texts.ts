import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('sign-in-mails', {
  newSubject: 'New login to your {company} account',
  newPreview: '{device}, {time}.',
  newHeading: 'A new device logged in',
  newText: "Somebody logged in to your account on a device it hasn't been used on before.",
  device: 'Device: {device}',
  time: 'Time: {time}',
  newNotYou:
    "If it was you, there's nothing to do. If it wasn't, log that device out in your profile and change your password there.",
  seeDevices: 'See your devices',
  newFootnote: 'We send this e-mail once for each kind of device that logs in to your account.',
  replaySubject: 'We logged a device out of your {company} account',
  replayPreview: 'Somebody used an old login, so we ended it.',
  replayHeading: 'Somebody used an old login',
  replayText:
    'An old login was used again after we had replaced it. Somebody may have a copy, so we ended that login for you and for whoever has the copy.',
  replayNext:
    "Just log in again. If you didn't restore a backup or copy a browser profile at that time, check the devices in your profile, log out any you don't recognise, and change your password.",
  logIn: 'Log in',
  replayFootnote: "You're getting this e-mail because it's about the security of your account.",
})
