import { dateFormat } from '#lib/i18n/date-format.ts'

const format = dateFormat({ dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' })

/** A time in an e-mail, whose reader may be in any time zone. */
export function inUtc(at: Date): string {
  return `${format(at)} UTC`
}
