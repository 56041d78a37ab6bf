import type { TransferRecord } from '#lib/api/transfers.ts'
import { csvOf, csvUsd } from '#lib/csv.ts'

const columns = [
  'Date (UTC)',
  'What',
  'Credits (USD)',
  'Balance (USD)',
  'Called number',
  'Receipt',
  'Payment',
]

/** Amounts are plain numbers, exact to the micro-dollar. */
export function transfersCsv(transfers: readonly TransferRecord[]): string {
  return csvOf(
    columns,
    transfers.map(({ at, words, amount, balance, call, payment }) => [
      at,
      words,
      csvUsd(amount),
      csvUsd(balance),
      call?.to ?? '',
      payment?.receipt ?? '',
      payment?.id ?? '',
    ]),
  )
}
