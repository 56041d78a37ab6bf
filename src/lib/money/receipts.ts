import type { VatRule } from '../company.ts'
import { cardTexts } from './card-texts.ts'

/** `F-<year>-<number>`; the number runs on through all years. */
export function formatReceipt(receipt: number, paidAt: Date): string {
  return `F-${paidAt.getUTCFullYear()}-${String(receipt).padStart(4, '0')}`
}

export function formatCard(brand: string, last4: string): string {
  return cardTexts.ending({ brand: `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`, last4 })
}

/** VAT within a price, by the rule on the day of payment: micro-dollars to the nearest cent; null if no VAT applies. */
export function vatWithin(
  amountMicroUsd: number,
  paidAt: Date,
  rules: readonly VatRule[],
): { number: string; percent: number; amountMicroUsd: number } | null {
  const day = paidAt.toISOString().slice(0, 10)
  const rule = rules.findLast(({ from }) => from <= day)
  if (rule === undefined || rule.percent === 0) return null
  const { number, percent } = rule
  const cents = Math.round((amountMicroUsd * percent) / (100 + percent) / 10_000)
  return { number, percent, amountMicroUsd: cents * 10_000 }
}
