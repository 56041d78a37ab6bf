import type { TransferRecord } from '../api/transfers.ts'
import { csvOf } from './csv.ts'

const columns = [
  'Date (UTC)',
  'What',
  'Credits (USD)',
  'Balance (USD)',
  'Called number',
  'Receipt',
  'Payment',
]

/** Transfers as a CSV file, in their order. Amounts are plain numbers, exact to the micro-dollar. */
export function transfersCsv(transfers: readonly TransferRecord[]): string {
  return csvOf([
    columns,
    ...transfers.map(({ at, words, amount, balance, call, payment }) => [
      at,
      words,
      decimal(amount),
      decimal(balance),
      call?.to ?? '',
      payment?.receipt ?? '',
      payment?.id ?? '',
    ]),
  ])
}

/** Never in powers of ten, as a small number would print itself. */
function decimal(usd: number): string {
  return usd.toFixed(6).replace(/0{1,4}$/, '')
}
