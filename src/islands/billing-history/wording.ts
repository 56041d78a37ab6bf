import type { BillingLine } from '#lib/api/billing.ts'
import { clockFormat } from '#lib/clock.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'

/** In the reader's time zone. */
export const shortTime = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  ...clockFormat,
})
export const fullTime = dateFormat({ dateStyle: 'full', timeStyle: 'long' })
export const dayOf = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** Signed amount with micro-dollar precision: +$25.00, −$0.0184; $0.00 for what moved nothing, such as a gift. @param usd US dollars */
export function signed(usd: number): string {
  const figure = formatCharge(usdToMicroUsd(Math.abs(usd)))
  if (usd === 0) return figure
  return usd < 0 ? `−${figure}` : `+${figure}`
}

export interface Totals {
  /** US dollars. */
  readonly bought: number
  readonly bonus: number
  readonly since: Date
}

/** Totals bought and received. Null while older lines are not loaded, or when nothing was bought. */
export function totalsOf(lines: readonly BillingLine[], complete: boolean): Totals | null {
  if (!complete) return null
  const purchases = lines.filter(({ kind }) => ['payment', 'auto_topup', 'released'].includes(kind))
  const first = purchases.at(-1)
  if (first === undefined) return null
  const sum = (of: readonly BillingLine[]) =>
    of.reduce((totalMicroUsd, { amount }) => totalMicroUsd + usdToMicroUsd(amount), 0) / 1_000_000
  return {
    bought: sum(purchases),
    bonus: sum(lines.filter(({ kind }) => kind === 'bonus')),
    since: new Date(first.at),
  }
}
