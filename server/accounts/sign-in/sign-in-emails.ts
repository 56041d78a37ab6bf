import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

export interface SignInDetails {
  /** For display, such as `Chrome on macOS`. */
  readonly device: string
  readonly at: Date
}

const notYou = 'If it was not, sign that device out on your profile, and choose another password there.'

export function newSignInEmail(publicUrl: string, { device, at }: SignInDetails): EmailTemplate {
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

/** A replaced refresh token was used, so its session was ended. */
export function replayEmail(publicUrl: string, { device, at }: SignInDetails): EmailTemplate {
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

function inUtc(at: Date): string {
  return `${time.format(at)} UTC`
}
