import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mails } from './registration-texts.ts'

/** The link opens a page whose script confirms by POST. */
export function confirmAddressEmail(publicUrl: string, token: string): EmailTemplate {
  const path = localPath(`/verify-email#token=${encodeURIComponent(token)}`)
  return {
    subject: mails.confirmSubject({ company: company.name }),
    preview: mails.confirmPreview,
    heading: mails.confirmHeading,
    paragraphs: [mails.confirmText],
    action: { label: mails.confirm, url: `${publicUrl}${path}` },
    footnote: mails.confirmFootnote,
  }
}

/** Sent on registering an address that has an account. Only its owner learns this. */
export function alreadyRegisteredEmail(publicUrl: string): EmailTemplate {
  return {
    subject: mails.knownSubject({ company: company.name }),
    preview: mails.knownPreview,
    heading: mails.knownHeading,
    paragraphs: [mails.knownText({ company: company.name })],
    action: { label: mails.logIn, url: `${publicUrl}${localPath('/login')}` },
    footnote: mails.knownFootnote,
  }
}
