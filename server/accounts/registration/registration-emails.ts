import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** The link opens a page whose script confirms by POST. */
export function confirmAddressEmail(publicUrl: string, token: string): EmailTemplate {
  return {
    subject: `Confirm your e-mail for ${company.name}`,
    preview: 'One tap and your free call is ready.',
    heading: 'One tap, and your free call is ready',
    paragraphs: ['Please confirm that this is your e-mail address. After that, you can call.'],
    action: { label: 'Confirm e-mail', url: `${publicUrl}/verify-email#token=${encodeURIComponent(token)}` },
    footnote:
      "The link works once, within 24 hours. Didn't sign up? Ignore this e-mail and nothing will happen.",
  }
}

/** Sent on registering an address that has an account. Only its owner learns this. */
export function alreadyRegisteredEmail(publicUrl: string): EmailTemplate {
  return {
    subject: `You already have a ${company.name} account`,
    preview: 'Somebody tried to sign up with this address.',
    heading: 'You already have an account',
    paragraphs: [
      `Somebody, probably you, tried to sign up for ${company.name} with this e-mail address. It already has one, so nothing was changed.`,
    ],
    action: { label: 'Log in', url: `${publicUrl}/login` },
    footnote: "Wasn't you? Ignore this e-mail: your account and password haven't changed.",
  }
}
