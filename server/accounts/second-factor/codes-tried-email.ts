import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export function codesTriedEmail(publicUrl: string, at: Date): EmailTemplate {
  return {
    subject: `Somebody tried codes to get into your ${company.name} account`,
    preview: 'If it was not you, choose another password.',
    heading: 'Somebody tried codes',
    paragraphs: [
      'Somebody knew your password, or could use your Google account, and then typed several codes that were not right. Your second factor is there for this: without a right code nobody gets in, and we take only a few codes a day.',
      `Time: ${time.format(at)} UTC`,
      `It was not you? Choose another password now: then the old one opens nothing. If you log in with Google, look at your Google account too. Write to ${company.supportEmail} if you would like a hand.`,
      'It was you? Take the code that your app shows now, or use a passkey. On a browser that you have logged in with before nobody else can keep you out.',
    ],
    action: { label: 'Choose another password', url: `${publicUrl}/forgot-password` },
    footnote: `You get this message at most once a day, because it is about the safety of your ${company.name} account.`,
  }
}
