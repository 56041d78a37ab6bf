import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** Sent on the first sign-in with Google to an existing account of the same address. */
export function googleLinkedEmail(publicUrl: string): EmailTemplate {
  return {
    subject: `Google now signs you in to ${company.name}`,
    preview: 'Your password goes on working, if you have one.',
    heading: 'Google now signs you in',
    paragraphs: [
      `Somebody, we hope you, signed in to your ${company.name} account with the Google account of this e-mail address. From now on it opens your account; your password, if it has one, goes on working.`,
      `It was not you? Then somebody else can use the Google account of this address: secure that first. Then choose another password here with the button below: that signs everybody out, and Google opens the account no more until the Google account of this address signs in again. And write to ${company.supportEmail}.`,
    ],
    action: { label: 'This was not me', url: `${publicUrl}/forgot-password` },
    footnote: `You get this message because it is about the safety of your ${company.name} account.`,
  }
}

/** Sent when an unconfirmed account was reclaimed, by a sign-in with Google or an e-mailed link. */
export function setAsideEmail(publicUrl: string, by: 'google' | 'mail' = 'google'): EmailTemplate {
  const [before, how] =
    by === 'google'
      ? [
          'you signed in with the Google account of this e-mail address',
          'Google signs you in; a password can be added on your profile.',
        ]
      : ['you confirmed this e-mail address', 'You sign in with the password that you chose with it.']
  return {
    subject: `Your ${company.name} account is yours alone`,
    preview: 'Somebody had begun to register with your address before.',
    heading: 'Somebody had begun to register before you',
    paragraphs: [
      `Before ${before}, somebody had registered for ${company.name} with it and never confirmed it. That may have been you. As we cannot know, we made all that was chosen then void: the password no longer works, every device was signed out, links in earlier mails are dead, and contacts, caller IDs and a saved card are removed. Credits that were bought are on your balance.`,
      `There is nothing to do. ${how} If a payment in your billing history is not yours, please write to us before you use its credits.`,
    ],
    action: { label: 'See your profile', url: `${publicUrl}/profile` },
    footnote: `You get this message because it is about the safety of your ${company.name} account.`,
  }
}
