import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { deviceText } from '../../identity/device-name.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { inUtc } from '../../mail/utc-time.ts'
import { mails } from './sign-in-mail-texts.ts'

export interface SignInDetails {
  /** As stored, such as `Chrome on macOS`. */
  readonly device: string
  readonly at: Date
}

export function newSignInEmail(publicUrl: string, { device, at }: SignInDetails): EmailTemplate {
  return {
    subject: mails.newSubject({ company: company.name }),
    preview: mails.newPreview({ device: deviceText(device), time: inUtc(at) }),
    heading: mails.newHeading,
    paragraphs: [mails.newText, facts(device, at), mails.newNotYou],
    action: { label: mails.seeDevices, url: `${publicUrl}${localPath('/profile')}` },
    footnote: mails.newFootnote,
  }
}

/** A replaced refresh token was used, so its session was ended. */
export function replayEmail(publicUrl: string, { device, at }: SignInDetails): EmailTemplate {
  return {
    subject: mails.replaySubject({ company: company.name }),
    preview: mails.replayPreview,
    heading: mails.replayHeading,
    paragraphs: [mails.replayText, facts(device, at), mails.replayNext],
    action: { label: mails.logIn, url: `${publicUrl}${localPath('/login')}` },
    footnote: mails.replayFootnote,
  }
}

function facts(device: string, at: Date): string {
  return `${mails.device({ device: deviceText(device) })}\n${mails.time({ time: inUtc(at) })}`
}
