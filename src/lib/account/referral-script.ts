/** Where a referral script stores the referrer (PD-9). */
export interface ReferralScript {
  /** Address to load where people sign up; null if every page has the script of the site's owner. */
  readonly script: string | null
  /** Path of the global, separated by dots. */
  readonly value: string
}

export const ownReferralScript = { script: '/referral.js', value: 'referralValue' } as const
