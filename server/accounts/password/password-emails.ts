import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mails } from './password-mail-texts.ts'

/** @param why `disputed`: confirms an address that was registered with more than one password */
export function resetPasswordEmail(
  publicUrl: string,
  email: string,
  token: string,
  why: 'forgotten' | 'disputed' = 'forgotten',
): EmailTemplate {
  const disputed = why === 'disputed'
  const path = localPath(`/reset-password#token=${encodeURIComponent(token)}`)
  return {
    subject: mails.resetSubject({ company: company.name }),
    preview: mails.resetPreview,
    heading: mails.resetHeading,
    paragraphs: [
      disputed ? mails.resetDisputed({ email, company: company.name }) : mails.resetText({ email }),
    ],
    action: { label: mails.chooseNew, url: `${publicUrl}${path}` },
    footnote: disputed ? mails.disputedFootnote : mails.resetFootnote,
  }
}

/** @param how by a link, by a link where Google opened the account before, in the profile, or as a first password */
export function passwordChangedEmail(
  publicUrl: string,
  how: 'reset' | 'reset_from_google' | 'changed' | 'first',
): EmailTemplate {
  return {
    subject: mails.changedSubject({ how, company: company.name }),
    preview: mails.nothingToDo,
    heading: mails.changedHeading({ how }),
    paragraphs: [
      mails.changedText({ how, company: company.name }),
      mails.changedNotYou({ support: company.supportEmail }),
    ],
    action: { label: mails.notMe, url: `${publicUrl}${localPath('/forgot-password')}` },
    footnote: mails.security({ company: company.name }),
  }
}
