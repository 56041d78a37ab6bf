import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { inUtc } from '../../mail/utc-time.ts'
import { mails } from './second-factor-mail-texts.ts'

export function codesTriedEmail(publicUrl: string, at: Date): EmailTemplate {
  return {
    subject: mails.triedSubject({ company: company.name }),
    preview: mails.triedPreview,
    heading: mails.triedHeading,
    paragraphs: [
      mails.triedText,
      mails.time({ time: inUtc(at) }),
      mails.triedNotYou({ support: company.supportEmail }),
      mails.triedYou,
    ],
    action: { label: mails.changePassword, url: `${publicUrl}${localPath('/forgot-password')}` },
    footnote: mails.triedFootnote({ company: company.name }),
  }
}
