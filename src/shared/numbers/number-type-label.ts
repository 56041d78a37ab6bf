import type { RateKind } from '#lib/money/tariff.ts'
import type { LineType } from '#lib/numbers/phone.ts'

const texts: Readonly<Record<LineType, string>> = {
  landline: 'Landline',
  mobile: 'Mobile',
  either: 'Mobile or landline',
  toll_free: 'Toll-free',
  voip: 'Internet phone',
  company: 'Company number',
  voicemail: 'Voicemail',
}

/** A rate above the ordinary ones takes precedence over the type. */
export function numberTypeLabel(type: LineType, kind: RateKind | null): string {
  return kind === 'special' ? 'Special rate' : texts[type]
}

/** Free only within its country; may not accept calls from abroad. */
export const tollFreeMessage = 'Toll-free there only: you pay our rate, and it may reject calls from abroad.'
