/** Value added tax that prices hold, for payments from a day on. */
export interface VatRule {
  /** The first day of the rule, in UTC: `2026-01-31`. */
  readonly from: string
  /** The company's VAT number, as the receipt shows it. */
  readonly number: string
  /** 20 for 20%; 0 ends an earlier rule. */
  readonly percent: number
}

/**
 * Everything an owner renames. Pages, mails and messages read it here and nowhere else.
 * The support address uses a reserved domain until an owner sets their own.
 */
export const company = {
  name: 'Farline',
  legalName: 'Farline',
  place: 'London, United Kingdom',
  supportEmail: 'support@farline.example',
  copyrightYear: 2025,
  /** Oldest first. A payment's receipt follows the rule of its day, so a new rate changes no old receipt. */
  vat: [] as readonly VatRule[],
  tagline: 'Call any phone abroad from your browser',
} as const
