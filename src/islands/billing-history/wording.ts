import type { TransferRecord } from '#lib/api/transfers.ts'
import { formatCharge, usdToMicroUsd } from '#lib/rules/money.ts'

/** Times are in the visitor's own language and time zone. */
const shortFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

export const shortTime = (time: Date) => shortFormat.format(time)
export const fullTime = (time: Date) => fullFormat.format(time)
export const dayOf = (time: Date) => dayFormat.format(time)

/** Credits that came or went, whole to the micro-dollar: +$25.00, −$0.0184. */
export function signed(usd: number): string {
  const amount = formatCharge(usdToMicroUsd(Math.abs(usd)))
  return usd < 0 ? `−${amount}` : `+${amount}`
}

export interface Totals {
  /** US dollars. */
  readonly bought: number
  readonly bonus: number
  /** Of the first purchase. */
  readonly since: Date
}

/** What was bought and given in all; null while older lines are not listed, or when nothing was bought. */
export function totalsOf(transfers: readonly TransferRecord[], complete: boolean): Totals | null {
  if (!complete) return null
  const purchases = transfers.filter(({ kind }) => ['payment', 'auto_topup', 'released'].includes(kind))
  const first = purchases.at(-1)
  if (first === undefined) return null
  const sum = (lines: readonly TransferRecord[]) =>
    lines.reduce((total, { amount }) => total + usdToMicroUsd(amount), 0) / 1_000_000
  return {
    bought: sum(purchases),
    bonus: sum(transfers.filter(({ kind }) => kind === 'bonus')),
    since: new Date(first.at),
  }
}
