import { type Country, entryOfNumber } from '#lib/numbers/countries.ts'
import { parseNumber, verdictMessage } from '#lib/numbers/phone.ts'
import { contactAnswers } from './contact-texts.ts'

export type SavedNumber =
  | { readonly ok: true; readonly e164: string; readonly dialCode: string; readonly isoCode: string }
  | { readonly ok: false; readonly message: string }

/** A number that may be saved: one that we would call. @param country of a number without a country code */
export function readSavedNumber(text: string, country: Pick<Country, 'isoCode' | 'dialCode'>): SavedNumber {
  const verdict = parseNumber(text, country)
  if (verdict.kind === 'emergency') return { ok: false, message: contactAnswers.emergency }
  if (verdict.kind === 'refused' && verdict.reason !== 'global_service')
    return {
      ok: false,
      message: contactAnswers.refused({ reason: verdictMessage(verdict)?.replace(/[.。।۔]$/, '') ?? '' }),
    }
  if (verdict.kind !== 'ok') return { ok: false, message: verdictMessage(verdict) ?? contactAnswers.noNumber }
  const { dialCode, isoCode } = entryOfNumber(verdict.e164, verdict.isoCode)
  return { ok: true, e164: verdict.e164, dialCode, isoCode }
}
