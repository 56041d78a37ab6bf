import type { RateKind } from '#lib/money/tariff.ts'
import type { LineType } from '#lib/numbers/phone.ts'
import { numberTypeTexts } from './number-type-texts.ts'

/** A rate above the ordinary ones takes precedence over the type. */
export function numberTypeLabel(type: LineType, kind: RateKind | null): string {
  return numberTypeTexts[kind === 'special' ? 'special' : type]
}
