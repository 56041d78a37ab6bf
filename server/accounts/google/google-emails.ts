import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mails } from './google-texts.ts'

/** Sent on the first sign-in with Google to an existing account of the same address. */
export function googleLinkedEmail(publicUrl: string): EmailTemplate {
  return {
    subject: mails.linkedSubject({ company: company.name }),
    preview: mails.linkedPreview,
    heading: mails.linkedHeading,
    paragraphs: [
      mails.linkedText({ company: company.name }),
      mails.linkedNotYou({ support: company.supportEmail }),
    ],
    action: { label: mails.notMe, url: `${publicUrl}${localPath('/forgot-password')}` },
    footnote: mails.security({ company: company.name }),
  }
}

/** Sent when an unconfirmed account was reclaimed, by a sign-in with Google or an e-mailed link. */
export function setAsideEmail(publicUrl: string, by: 'google' | 'mail' = 'google'): EmailTemplate {
  return {
    subject: mails.asideSubject({ company: company.name }),
    preview: mails.asidePreview,
    heading: mails.asideHeading,
    paragraphs: [mails.asideText({ by, company: company.name }), mails.asideHow({ by })],
    action: { label: mails.seeProfile, url: `${publicUrl}${localPath('/profile')}` },
    footnote: mails.security({ company: company.name }),
  }
}
