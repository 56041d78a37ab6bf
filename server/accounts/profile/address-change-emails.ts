import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** The link opens a page whose script confirms by POST. @param google whether Google opens the account now */
export function changeAddressEmail(publicUrl: string, token: string, google = false): EmailTemplate {
  return {
    subject: `Confirm your new e-mail for ${company.name}`,
    preview: 'One press, and your account moves to this address.',
    heading: 'Confirm your new e-mail',
    paragraphs: [
      `Somebody, probably you, asked to move their ${company.name} account to this e-mail address. Until you confirm it, the account keeps the address that it has.`,
      ...(google
        ? [
            'From then on Google opens it only with the Google account of this address. If you have no password for it, choose one with "Forgot password?" on the page to log in.',
          ]
        : []),
    ],
    action: {
      label: 'Confirm new e-mail',
      url: `${publicUrl}/verify-email#change=${encodeURIComponent(token)}`,
    },
    footnote:
      'The link works once, within 24 hours. You did not ask for it? Ignore this message and nothing will happen.',
  }
}

/** Sent when an account should move to an address that already has one. Only that address's owner learns this. */
export function addressInUseEmail(publicUrl: string): EmailTemplate {
  return {
    subject: `This address has a ${company.name} account already`,
    preview: 'Somebody asked to move another account here.',
    heading: 'This address has an account already',
    paragraphs: [
      `Somebody, maybe you, asked to move another ${company.name} account to this e-mail address. It has an account of its own, so nothing was changed.`,
      'It was you? Log in with this address to use that account. Its password can be chosen anew if you have forgotten it.',
    ],
    action: { label: 'Log in', url: `${publicUrl}/login` },
    footnote: 'It was not you? Ignore this message: your account and your password are as they were.',
  }
}

/** Sent to the former address. Does not name the new one: this mailbox may belong to a stranger by now. */
export function addressChangedEmail(): EmailTemplate {
  return {
    subject: `The e-mail of your ${company.name} account was changed`,
    preview: 'If this was you, there is nothing to do.',
    heading: 'Your account has a new e-mail',
    paragraphs: [
      `Your ${company.name} account has moved to another e-mail address, which was confirmed by a link that we sent there. You log in with that one from now on, with Google too, and this is the last message to the old one. If this was you, there is nothing to do.`,
      `It was not you? Write to ${company.supportEmail} at once, best by answering from this address: somebody who could sign in to it has moved your account away. We stop it and give it back to you.`,
    ],
    footnote: `You get this message because this was the address of a ${company.name} account.`,
  }
}
