import { dateFormat } from '#lib/i18n/date-format.ts'
import { dollarsText, formatBalance, usdToMicroUsd } from '#lib/money/money.ts'

const days = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

export function day(time: string): string {
  return days(new Date(time))
}

export function shortUsd(usd: number): string {
  return Number.isInteger(usd) ? dollarsText(String(usd)) : formatBalance(usdToMicroUsd(usd))
}
