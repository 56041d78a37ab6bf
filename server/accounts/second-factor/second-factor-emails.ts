import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { inUtc } from '../../mail/utc-time.ts'
import { mails } from './second-factor-mail-texts.ts'

export interface FactorChange {
  readonly what:
    | 'passkey_added'
    | 'passkey_removed'
    | 'authenticator_added'
    | 'authenticator_removed'
    | 'recovery_codes_made'
    | 'recovery_code_used'
    | 'reset'
  readonly name?: string
  readonly left?: number
  readonly at: Date
}

export function secondFactorEmail(publicUrl: string, { what, name, left, at }: FactorChange): EmailTemplate {
  const facts = [
    ...(name === undefined ? [] : [mails.passkey({ name })]),
    ...(left === undefined ? [] : [mails.codesLeft({ left })]),
    mails.time({ time: inUtc(at) }),
  ]
  const support = company.supportEmail
  return {
    subject: mails.subject({ what, company: company.name }),
    preview: mails.preview({ time: inUtc(at) }),
    heading: mails.heading({ what }),
    paragraphs: [
      mails.text({ what }),
      facts.join('\n'),
      what === 'reset' ? mails.resetNotYou({ support }) : mails.notYou({ support }),
    ],
    action:
      what === 'reset'
        ? { label: mails.logIn, url: `${publicUrl}${localPath('/login')}` }
        : { label: mails.seeSecurity, url: `${publicUrl}${localPath('/profile#profile-security')}` },
    footnote: mails.security({ company: company.name }),
  }
}
