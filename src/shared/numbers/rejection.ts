import { emergencyNumberIn } from '#lib/numbers/emergency.ts'
import { numberTexts } from '#lib/numbers/number-texts.ts'
import { type NumberVerdict, verdictMessage } from '#lib/numbers/phone.ts'

/**
 * Why a number can never be called. `emergency`: a telephone can, so it comes with the number to dial there.
 * `impossible`: a complete number of no numbering plan.
 */
export type Rejection =
  | { readonly kind: 'emergency'; readonly text: string; readonly phone: string }
  | { readonly kind: 'refused' | 'impossible'; readonly text: string }

/** @param unsold whether the tariff has no rate for this number @param fault of a number that is not unfinished */
export function rejectionOf(
  typed: string,
  verdict: NumberVerdict,
  { unsold, fault }: { readonly unsold: boolean; readonly fault: string | null },
): Rejection | null {
  const text = verdictMessage(verdict) ?? numberTexts.unsupported
  switch (verdict.kind) {
    case 'emergency':
      return { kind: 'emergency', text, phone: emergencyNumberIn(typed) }
    case 'unsupported':
    case 'refused':
      return { kind: 'refused', text }
    case 'ok':
      return unsold ? { kind: 'refused', text } : null
    case 'impossible':
      return fault === null ? null : { kind: 'impossible', text: fault }
    default:
      return null
  }
}
