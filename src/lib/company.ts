export interface VatRule {
  /** First day, in UTC: `2026-01-31`. */
  readonly from: string
  readonly number: string
  /** 20 means 20%; 0 ends an earlier rule. */
  readonly percent: number
}

/**
 * Everything an owner renames. Other languages say the place in `src/languages/<tag>/company.json`, and the tagline in `manifest.json`
 * beside it. The support address is in a reserved domain until the owner sets one.
 */
export const company = {
  name: 'Farline',
  legalName: 'Farline',
  city: 'London',
  place: 'London, United Kingdom',
  supportEmail: 'support@farline.example',
  copyrightYear: 2025,
  /** Oldest first. A receipt uses the rule of its payment's day, so a new rate changes no old receipt. */
  vat: [] as readonly VatRule[],
  tagline: 'Call any phone abroad from your browser',
} as const
