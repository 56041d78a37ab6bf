import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** The link opens a page whose script confirms by POST. @param google whether Google opens the account now */
export function changeAddressEmail(publicUrl: string, token: string, google = false): EmailTemplate {
  return {
    subject: `Confirm your new e-mail for ${company.name}`,
    preview: 'One tap, and your account moves to this address.',
    heading: 'Confirm your new e-mail',
    paragraphs: [
      `Somebody, probably you, asked to move their ${company.name} account to this e-mail address. Until you confirm it, the account keeps its current address.`,
      ...(google
        ? [
            'From then on, only the Google account with this address can log in to it. If you don\'t have a password, set one with "Forgot password?" on the login page.',
          ]
        : []),
    ],
    action: {
      label: 'Confirm new e-mail',
      url: `${publicUrl}/verify-email#change=${encodeURIComponent(token)}`,
    },
    footnote:
      "The link works once, within 24 hours. Didn't ask for it? Ignore this e-mail and nothing will happen.",
  }
}

/** Sent when an account should move to an address that already has one. Only that address's owner learns this. */
export function addressInUseEmail(publicUrl: string): EmailTemplate {
  return {
    subject: `This address already has a ${company.name} account`,
    preview: 'Somebody asked to move another account here.',
    heading: 'This address already has an account',
    paragraphs: [
      `Somebody, maybe you, asked to move another ${company.name} account to this e-mail address. It already has its own account, so nothing was changed.`,
      "Was it you? Log in with this address to use that account. You can reset its password if you've forgotten it.",
    ],
    action: { label: 'Log in', url: `${publicUrl}/login` },
    footnote: "Wasn't you? Ignore this e-mail: your account and password haven't changed.",
  }
}

/** Sent to the former address. Does not name the new one: this mailbox may belong to a stranger by now. */
export function addressChangedEmail(): EmailTemplate {
  return {
    subject: `Your ${company.name} account's e-mail was changed`,
    preview: "If this was you, there's nothing to do.",
    heading: 'Your account has a new e-mail',
    paragraphs: [
      `Your ${company.name} account has moved to another e-mail address, confirmed by a link we sent there. From now on you log in with that one, also with Google, and this is the last message to the old one. If this was you, there's nothing to do.`,
      `Wasn't you? Write to ${company.supportEmail} right away, ideally by replying from this address: somebody who could log in has moved your account. We'll stop it and give it back to you.`,
    ],
    footnote: `You're getting this e-mail because a ${company.name} account used this address.`,
  }
}
