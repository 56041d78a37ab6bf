import { company } from '#lib/company.ts'
import type { Letter } from './layout.ts'

/**
 * The link with which whoever reads it chooses the password of an account.
 * @param email the account's address, which is also where the letter goes
 */
export function resetPasswordLetter(publicUrl: string, email: string, token: string): Letter {
  return {
    subject: `Choose a new ${company.name} password`,
    preview: 'The link works for 30 minutes.',
    heading: 'Choose a new password',
    paragraphs: [
      `Someone, we hope you, asked to reset the password for ${email}. The link works once, within 30 minutes.`,
    ],
    action: {
      label: 'Choose a new password',
      url: `${publicUrl}/reset-password/${encodeURIComponent(token)}`,
    },
    footnote: 'You did not ask? Ignore this message. Your password stays as it is.',
  }
}

/**
 * Tells the owner of an account that its password is another one.
 * @param how by the mailed link, in the profile, or the first one of an account that had none
 */
export function passwordChangedLetter(publicUrl: string, how: 'reset' | 'changed' | 'first'): Letter {
  const what = how === 'first' ? 'was given a password' : 'has a new password'
  const where =
    how === 'reset'
      ? 'Every device that was signed in before is signed out.'
      : 'Every device but the one that did it is signed out.'
  return {
    subject: `Your ${company.name} account ${what}`,
    preview: 'If this was you, there is nothing to do.',
    heading: how === 'first' ? 'Your account has a password now' : 'Your password was changed',
    paragraphs: [
      `Your ${company.name} account ${what}. ${where} If this was you, there is nothing to do.`,
      `It was not you? Choose another password at once with the button below: that signs everybody out. Then look at your profile and your call history, and write to ${company.supportEmail} if something is not yours.`,
    ],
    action: { label: 'This was not me', url: `${publicUrl}/forgot-password` },
    footnote: `You get this message because it is about the safety of your ${company.name} account.`,
  }
}
