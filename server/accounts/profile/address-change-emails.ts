import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mails } from './address-change-texts.ts'

/** The link opens a page whose script confirms by POST. @param google whether Google opens the account now */
export function changeAddressEmail(publicUrl: string, token: string, google = false): EmailTemplate {
  const path = localPath(`/verify-email#change=${encodeURIComponent(token)}`)
  return {
    subject: mails.changeSubject({ company: company.name }),
    preview: mails.changePreview,
    heading: mails.changeHeading,
    paragraphs: [mails.changeText({ company: company.name }), ...(google ? [mails.changeGoogle] : [])],
    action: { label: mails.confirm, url: `${publicUrl}${path}` },
    footnote: mails.changeFootnote,
  }
}

/** Sent when an account should move to an address that already has one. Only that address's owner learns this. */
export function addressInUseEmail(publicUrl: string): EmailTemplate {
  return {
    subject: mails.inUseSubject({ company: company.name }),
    preview: mails.inUsePreview,
    heading: mails.inUseHeading,
    paragraphs: [mails.inUseText({ company: company.name }), mails.inUseYou],
    action: { label: mails.logIn, url: `${publicUrl}${localPath('/login')}` },
    footnote: mails.inUseFootnote,
  }
}

/** Sent to the former address. Does not name the new one: this mailbox may belong to a stranger by now. */
export function addressChangedEmail(): EmailTemplate {
  return {
    subject: mails.changedSubject({ company: company.name }),
    preview: mails.changedPreview,
    heading: mails.changedHeading,
    paragraphs: [
      mails.changedText({ company: company.name }),
      mails.changedNotYou({ support: company.supportEmail }),
    ],
    footnote: mails.changedFootnote({ company: company.name }),
  }
}
