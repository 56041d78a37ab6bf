import type { BillingLine } from '#lib/api/billing.ts'
import { csvOf, csvUsd } from '#lib/csv.ts'

const columns = [
  'Date (UTC)',
  'Description',
  'Credits (USD)',
  'Balance (USD)',
  'Number called',
  'Minutes charged',
  'Receipt',
  'Payment',
  'Call',
]

/** Amounts are plain numbers, exact to the micro-dollar. Filtered lines have no balance. */
export function billingCsv(lines: readonly BillingLine[]): string {
  return csvOf(
    columns,
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
