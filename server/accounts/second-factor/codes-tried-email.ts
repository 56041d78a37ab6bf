import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export function codesTriedEmail(publicUrl: string, at: Date): EmailTemplate {
  return {
    subject: `Somebody tried codes to get into your ${company.name} account`,
    preview: "If it wasn't you, change your password.",
    heading: 'Somebody tried to guess your code',
    paragraphs: [
      'Somebody knew your password, or could use your Google account, and then entered several wrong codes. This is what your second factor is for: nobody gets in without the right code, and we only accept a few tries a day.',
      `Time: ${time.format(at)} UTC`,
      `Wasn't you? Change your password now, so the old one stops working. If you log in with Google, check your Google account as well. Write to ${company.supportEmail} if you'd like help.`,
      "Was it you? Use the code your app shows right now, or a passkey. In a browser you've logged in with before, nobody else can lock you out.",
    ],
    action: { label: 'Change your password', url: `${publicUrl}/forgot-password` },
    footnote: `We send this at most once a day, because it's about the security of your ${company.name} account.`,
  }
}
