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
  tagline: 'Call any phone abroad from your browser',
} as const
