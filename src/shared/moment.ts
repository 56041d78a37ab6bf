import { dateFormat } from '#lib/i18n/date-format.ts'

const momentFormat = dateFormat({
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** `24 November 2026, 14:05 UTC`: in UTC, so that a receipt reads the same wherever it is printed, and to support. */
export function momentInUtc(moment: Date): string {
  return `${momentFormat(moment).replace(' at ', ', ')} UTC`
}
