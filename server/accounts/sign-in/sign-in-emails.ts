import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

export interface SignInDetails {
  /** For display, such as `Chrome on macOS`. */
  readonly device: string
  readonly at: Date
}

const notYou = "If it wasn't, sign that device out in your profile and change your password there."

export function newSignInEmail(publicUrl: string, { device, at }: SignInDetails): EmailTemplate {
  return {
    subject: `New sign-in to your ${company.name} account`,
    preview: `${device}, ${inUtc(at)}.`,
    heading: 'A new device signed in',
    paragraphs: [
      "Somebody signed in to your account on a device it hasn't been used on before.",
      `Device: ${device}\nTime: ${inUtc(at)}`,
      `If it was you, there's nothing to do. ${notYou}`,
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
      'An old sign-in was used again after we had replaced it. Somebody may have a copy, so we ended that sign-in for you and for whoever has the copy.',
      `Device: ${device}\nTime: ${inUtc(at)}`,
      "Just log in again. If you didn't restore a backup or copy a browser profile at that time, check the devices in your profile, sign out any you don't recognise, and change your password.",
    ],
    action: { label: 'Log in', url: `${publicUrl}/login` },
    footnote: "You get this message because it's about the security of your account.",
  }
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function inUtc(at: Date): string {
  return `${time.format(at)} UTC`
}
