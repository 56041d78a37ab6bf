import type { CallRecord } from '#lib/api/calls.ts'
import { outcomeLabel } from '#lib/calls/outcomes.ts'
import { csvOf, csvUsd } from '#lib/csv.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { csv } from './csv-texts.ts'

/** Amounts are plain numbers, exact to the micro-dollar. @param names contact names by E.164 */
export function callsCsv(calls: readonly CallRecord[], names: ReadonlyMap<string, string>): string {
  return csvOf(
    [
      csv.placed,
      csv.number,
      csv.name,
      csv.country,
      csv.outcome,
      csv.length,
      csv.minutes,
      csv.rate,
      csv.cost,
      csv.refunded,
      csv.free,
      csv.call,
    ],
    calls.map(call => [
      call.placedAt,
      call.to,
      names.get(call.to) ?? '',
      countryOfIso(call.isoCode)?.name ?? call.isoCode,
      outcomeLabel(call),
      call.seconds,
      call.minutesCharged,
      csvUsd(call.ratePerMinute),
      csvUsd(call.cost),
      csvUsd(call.credited ?? 0),
      call.free && call.answeredAt !== null ? csv.yes : csv.no,
      call.id,
    ]),
  )
}
