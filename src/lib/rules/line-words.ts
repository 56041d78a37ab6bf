import type { LineType } from './phone.ts'
import type { RateKind } from './tariff.ts'

/** What a number is, in words. */
const words: Readonly<Record<LineType, string>> = {
  landline: 'Landline',
  mobile: 'Mobile',
  either: 'Mobile or landline',
  toll_free: 'Toll-free',
  voip: 'Internet phone',
  company: 'Company number',
  voicemail: 'Voicemail',
}

/** What a number is, in words; a range dearer than ordinary is told first, whatever rings at its end. */
export function lineWords(type: LineType, kind: RateKind | null): string {
  return kind === 'special' ? 'Special rate' : words[type]
}

/** Free for callers within its country alone; whoever answers may take no calls from elsewhere. */
export const tollFreeMessage = 'Toll-free there only: our rate applies, and it may refuse calls from abroad.'
