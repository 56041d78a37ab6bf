import { company } from '#lib/company.ts'
import { identity } from './identity-texts.ts'

/** As stored with a blocked account. An operator's own reason is stored as it was typed. */
export const disputeReason = `A payment for your credits is disputed with your bank. Write to ${company.supportEmail} to settle it.`
export const fraudReason = `A bank reported a payment for your credits as fraud, so we sent it back. Write to ${company.supportEmail} to settle it.`

/** Why an account may not call, in the language of its user. @param stored in English */
export function blockReasonText(stored: string): string {
  if (stored === disputeReason) return identity.disputed({ support: company.supportEmail })
  return stored === fraudReason ? identity.fraud({ support: company.supportEmail }) : stored
}
