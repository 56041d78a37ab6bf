import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** Sent on the first sign-in with Google to an existing account of the same address. */
export function googleLinkedEmail(publicUrl: string): EmailTemplate {
  return {
    subject: `You can now log in to ${company.name} with Google`,
    preview: 'Your password, if you have one, still works.',
    heading: 'You can now log in with Google',
    paragraphs: [
      `Somebody, hopefully you, logged in to your ${company.name} account with the Google account for this e-mail address. From now on you can log in that way; your password, if you have one, still works.`,
      `Wasn't you? Somebody else can use your Google account, so secure that first. After that, change your password here with the button below: it logs everybody out, and unlinks Google until you log in with it again. And write to ${company.supportEmail}.`,
    ],
    action: { label: "This wasn't me", url: `${publicUrl}/forgot-password` },
    footnote: `You're getting this e-mail because it's about the security of your ${company.name} account.`,
  }
}

/** Sent when an unconfirmed account was reclaimed, by a sign-in with Google or an e-mailed link. */
export function setAsideEmail(publicUrl: string, by: 'google' | 'mail' = 'google'): EmailTemplate {
  const [before, how] =
    by === 'google'
      ? [
          'you logged in with the Google account for this e-mail address',
          'You log in with Google; you can add a password in your profile.',
        ]
      : ['you confirmed this e-mail address', 'You log in with the password you chose when you confirmed it.']
  return {
    subject: `Your ${company.name} account is yours alone`,
    preview: 'Somebody had started to register with your address.',
    heading: 'Somebody had started to register before you',
    paragraphs: [
      `Before ${before}, somebody registered for ${company.name} with it and never confirmed it. That may have been you. Since we can't know, we reset everything: the old password no longer works, every device was logged out, links in earlier e-mails are void, and contacts, caller IDs and any saved card were removed. Credits that were bought are in your balance.`,
      `There's nothing to do. ${how} If you see a payment in your billing history that isn't yours, please write to us before you use its credits.`,
    ],
    action: { label: 'See your profile', url: `${publicUrl}/profile` },
    footnote: `You're getting this e-mail because it's about the security of your ${company.name} account.`,
  }
}
