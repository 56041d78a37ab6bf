import type { BillingLine } from '#lib/api/billing.ts'
import { csvOf, csvUsd } from '#lib/csv.ts'
import { csv } from './csv-texts.ts'

const columns = [
  'date',
  'description',
  'credits',
  'balance',
  'number',
  'minutes',
  'receipt',
  'payment',
  'call',
] as const

/** Amounts are plain numbers, exact to the micro-dollar. Filtered lines have no balance. */
export function billingCsv(lines: readonly BillingLine[]): string {
  return csvOf(
    columns.map(column => csv[column]),
    lines.map(({ at, description, amount, balance, call, payment }) => [
      at,
      description,
      csvUsd(amount),
      balance === null ? '' : csvUsd(balance),
      call?.to ?? '',
      call?.minutes ?? '',
      payment?.receipt ?? '',
      payment?.id ?? '',
      call?.id ?? '',
    ]),
  )
}
