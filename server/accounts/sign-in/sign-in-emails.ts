import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

export interface SignInDetails {
  /** For display, such as `Chrome on macOS`. */
  readonly device: string
  readonly at: Date
}

const notYou = "If it wasn't, log that device out in your profile and change your password there."

export function newSignInEmail(publicUrl: string, { device, at }: SignInDetails): EmailTemplate {
  return {
    subject: `New login to your ${company.name} account`,
    preview: `${device}, ${inUtc(at)}.`,
    heading: 'A new device logged in',
    paragraphs: [
      "Somebody logged in to your account on a device it hasn't been used on before.",
      `Device: ${device}\nTime: ${inUtc(at)}`,
      `If it was you, there's nothing to do. ${notYou}`,
    ],
    action: { label: 'See your devices', url: `${publicUrl}/profile` },
    footnote: 'We send this e-mail once for each kind of device that logs in to your account.',
  }
}

/** A replaced refresh token was used, so its session was ended. */
export function replayEmail(publicUrl: string, { device, at }: SignInDetails): EmailTemplate {
  return {
    subject: `We logged a device out of your ${company.name} account`,
    preview: 'Somebody used an old login, so we ended it.',
    heading: 'Somebody used an old login',
    paragraphs: [
      'An old login was used again after we had replaced it. Somebody may have a copy, so we ended that login for you and for whoever has the copy.',
      `Device: ${device}\nTime: ${inUtc(at)}`,
      "Just log in again. If you didn't restore a backup or copy a browser profile at that time, check the devices in your profile, log out any you don't recognise, and change your password.",
    ],
    action: { label: 'Log in', url: `${publicUrl}/login` },
    footnote: "You're getting this e-mail because it's about the security of your account.",
  }
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function inUtc(at: Date): string {
  return `${time.format(at)} UTC`
}
