import type { CallRecord } from '../api/calls.ts'
import { outcomeText } from './call-outcome.ts'
import { countryOfIso } from './countries.ts'
import { csvOf, csvUsd } from './csv.ts'

const columns = [
  'Placed (UTC)',
  'Number',
  'Name',
  'Country',
  'How it ended',
  'Talked (seconds)',
  'Minutes charged',
  'Per minute (USD)',
  'Cost (USD)',
  'Credited (USD)',
  'Free call',
  'Call',
]

/**
 * Amounts are plain numbers, exact to the micro-dollar.
 * @param names contact names by E.164
 */
export function callsCsv(calls: readonly CallRecord[], names: ReadonlyMap<string, string>): string {
  return csvOf(
    columns,
    calls.map(call => [
      call.placedAt,
      call.to,
      names.get(call.to) ?? '',
      countryOfIso(call.isoCode)?.name ?? call.isoCode,
      outcomeText(call),
      call.seconds,
      call.minutesCharged,
      csvUsd(call.ratePerMinute),
      csvUsd(call.cost),
      csvUsd(call.credited ?? 0),
      call.free && call.answeredAt !== null ? 'yes' : 'no',
      call.id,
    ]),
  )
}
