import { isRightToLeft } from '../i18n/direction.ts'
import { currentLanguage, withLatinDigits } from '../i18n/language.ts'
import { memoised } from '../memoised.ts'

/** Micro-dollars everywhere but on screen and in the API, which use decimal USD (PD-37). 1 USD = 1,000,000. */
export const microUsdPerUsd = 1_000_000

/** USD as sent by the API, exact below nine billion dollars. */
export function microUsdToUsd(microUsd: number): number {
  return microUsd / microUsdPerUsd
}

/** Nearest micro-dollar. @throws RangeError if not finite or beyond the safe integers */
export function usdToMicroUsd(usd: number): number {
  const microUsd = Math.round(usd * microUsdPerUsd)
  if (!Number.isSafeInteger(microUsd)) throw new RangeError(`not an amount of money: ${usd}`)
  return microUsd
}

const formatOf = memoised(key => {
  const [language = '', digits] = key.split(' ')
  const fraction = { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) }
  return new Intl.NumberFormat(withLatinDigits(language), { style: 'currency', currency: 'USD', ...fraction })
})

/**
 * `$4,000.00` from `4000.00`, in English. Among text from right to left it is isolated (U+2066 to U+2069), so that it reads from left
 * to right. @param decimals digits with a decimal point; all are shown
 */
export function dollarsText(decimals: string): string {
  const language = currentLanguage()
  const [, fraction = ''] = decimals.split('.')
  const text = formatOf(`${language} ${fraction.length}`).format(Number(decimals))
  return isRightToLeft(language) ? `\u2066${text}\u2069` : text
}

/** 2 decimals, rounded down: never shows money that is not there (PD-17). */
export function formatBalance(microUsd: number): string {
  return dollarsText((Math.floor(microUsd / 10_000) / 100).toFixed(2))
}

/** 2 decimals, or up to 6 if needed to show the exact charge: $0.0184, $0.02. Charges are never rounded. */
export function formatCharge(microUsd: number): string {
  const decimals = (microUsd / microUsdPerUsd).toFixed(6)
  return dollarsText(decimals.replace(/0{1,4}$/, ''))
}

/** 3 decimals (SPEC-9.7). */
export function formatRate(microUsdPerMinute: number): string {
  return dollarsText((microUsdPerMinute / microUsdPerUsd).toFixed(3))
}
