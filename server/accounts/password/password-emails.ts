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
        ? `${email} was registered for ${company.name} more than once, with different passwords, and hasn't been confirmed yet. We can't know which one is yours, so choose a new one now. That confirms the address as well and replaces everything chosen before. The link works once, within 30 minutes.`
        : `Somebody, hopefully you, asked to reset the password for ${email}. The link works once, within 30 minutes.`,
    ],
    action: {
      label: 'Choose a new password',
      url: `${publicUrl}/reset-password#token=${encodeURIComponent(token)}`,
    },
    footnote: disputed
      ? "Wasn't you? Ignore this e-mail. Nobody can call until the address is confirmed."
      : "Didn't ask for this? Ignore this e-mail. Your password stays as it is.",
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
      ? 'Every device has been logged out.'
      : 'Every other device has been logged out.'
  const google =
    how === 'reset_from_google'
      ? ' From now on, only the Google account with this e-mail address can log in to it.'
      : ''
  return {
    subject: `Your ${company.name} account ${what}`,
    preview: "If this was you, there's nothing to do.",
    heading: how === 'first' ? 'Your account has a password now' : 'Your password was changed',
    paragraphs: [
      `Your ${company.name} account ${what}. ${where}${google} If this was you, there's nothing to do.`,
      `Wasn't you? Change your password right away with the button below: that logs everybody out, including anyone who came in through Google. Then check your profile and call history, and write to ${company.supportEmail} if anything isn't yours.`,
    ],
    action: { label: "This wasn't me", url: `${publicUrl}/forgot-password` },
    footnote: `You're getting this e-mail because it's about the security of your ${company.name} account.`,
  }
}
