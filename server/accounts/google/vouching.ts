import type { GoogleIdentity } from '../../identity/google/port.ts'

const ownDomains = ['gmail.com', 'googlemail.com']

/**
 * Whether Google itself runs the mailbox of this verified address: its own, or that of a Workspace domain (`hd`). Any other
 * address was verified once, and may have changed hands since.
 * Source: https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
export function vouchesFor({
  email,
  emailVerified,
  hostedDomain,
}: Pick<GoogleIdentity, 'email' | 'emailVerified' | 'hostedDomain'>): boolean {
  if (email === null || !emailVerified) return false
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return ownDomains.includes(domain) || hostedDomain === domain
}
