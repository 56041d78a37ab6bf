import { company } from '#lib/company.ts'
import type { Letter } from './layout.ts'

/** A sign-in, as it is told to the account's owner. */
export interface ToldSignIn {
  /** In words, such as `Chrome on macOS`. */
  readonly device: string
  readonly at: Date
}

const notYou = 'If it was not, sign that device out on your profile, and choose another password there.'

/** Somebody signed in with a device that this account had not been used with before. */
export function newSignInLetter(publicUrl: string, { device, at }: ToldSignIn): Letter {
  return {
    subject: `New sign-in to your ${company.name} account`,
    preview: `${device}, ${inUtc(at)}.`,
    heading: 'A new device signed in',
    paragraphs: [
      'Somebody signed in to your account with a device that was not used for it before.',
      `Device: ${device}\nTime: ${inUtc(at)}`,
      `If it was you, there is nothing to do. ${notYou}`,
    ],
    action: { label: 'See your devices', url: `${publicUrl}/profile` },
    footnote: 'You get this message once for each kind of device that signs in to your account.',
  }
}

/** A refresh token was used after another had taken its place, so its session was ended. */
export function replayLetter(publicUrl: string, { device, at }: ToldSignIn): Letter {
  return {
    subject: `We signed a device out of your ${company.name} account`,
    preview: 'Somebody used an old sign-in, so we ended it.',
    heading: 'Somebody used an old sign-in',
    paragraphs: [
      'A sign-in that another one had replaced was used again. A copy of it may be in the wrong hands, so we signed that device out everywhere, for you and for whoever has the copy.',
      `Device: ${device}\nTime: ${inUtc(at)}`,
      'Log in again and go on. If you did not restore a backup or copy a browser just then, look at the devices on your profile, sign out those that you do not know, and choose another password.',
    ],
    action: { label: 'Log in', url: `${publicUrl}/login` },
    footnote: 'You get this message because it is about the safety of your account.',
  }
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `1 March 2026 at 12:00 UTC`. */
function inUtc(at: Date): string {
  return `${time.format(at)} UTC`
}
