import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** @param why `disputed`: confirms an address that was registered with more than one password */
export function resetPasswordEmail(
  publicUrl: string,
  email: string,
  token: string,
  why: 'forgotten' | 'disputed' = 'forgotten',
): EmailTemplate {
  const disputed = why === 'disputed'
  return {
    subject: `Choose a new ${company.name} password`,
    preview: 'The link works for 30 minutes.',
    heading: 'Choose a new password',
    paragraphs: [
      disputed
        ? `${email} was registered for ${company.name} more than once, with different passwords, and not confirmed yet. We cannot know which of them is yours, so choose one now: that confirms the address too, and all that was chosen before is void. The link works once, within 30 minutes.`
        : `Someone, we hope you, asked to reset the password for ${email}. The link works once, within 30 minutes.`,
    ],
    action: {
      label: 'Choose a new password',
      url: `${publicUrl}/reset-password#token=${encodeURIComponent(token)}`,
    },
    footnote: disputed
      ? 'It was not you? Ignore this message. Nobody can call before the address is confirmed.'
      : 'You did not ask? Ignore this message. Your password stays as it is.',
  }
}

/** @param how by a link, by a link where Google opened the account before, in the profile, or as a first password */
export function passwordChangedEmail(
  publicUrl: string,
  how: 'reset' | 'reset_from_google' | 'changed' | 'first',
): EmailTemplate {
  const what = how === 'first' ? 'was given a password' : 'has a new password'
  const where =
    how === 'reset' || how === 'reset_from_google'
      ? 'Every device that was signed in before is signed out.'
      : 'Every device but the one that did it is signed out.'
  const google =
    how === 'reset_from_google'
      ? ' Google opens it only with the Google account of this e-mail address from now on.'
      : ''
  return {
    subject: `Your ${company.name} account ${what}`,
    preview: 'If this was you, there is nothing to do.',
    heading: how === 'first' ? 'Your account has a password now' : 'Your password was changed',
    paragraphs: [
      `Your ${company.name} account ${what}. ${where}${google} If this was you, there is nothing to do.`,
      `It was not you? Choose another password at once with the button below: that signs everybody out, those who came by Google too. Then look at your profile and your call history, and write to ${company.supportEmail} if something is not yours.`,
    ],
    action: { label: 'This was not me', url: `${publicUrl}/forgot-password` },
    footnote: `You get this message because it is about the safety of your ${company.name} account.`,
  }
}
