import type { VatRule } from '../company.ts'

/** A receipt's number as people read it: the year it was written in, and its place in the one row of them. */
export function formatReceipt(receipt: number, paidAt: Date): string {
  return `F-${paidAt.getUTCFullYear()}-${String(receipt).padStart(4, '0')}`
}

/** A card as its owner knows it. @param last4 its last four digits */
export function formatCard(brand: string, last4: string): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending ${last4}`
}

/**
 * The tax that a price holds, by the rule of the day on which it was paid.
 * @param amountMicroUsd the price, tax included
 * @returns the tax to the nearest cent, in micro-dollars; null where no tax was charged
 */
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
