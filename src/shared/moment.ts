const momentFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** `24 November 2026, 14:05 UTC`: in UTC, so that a receipt reads the same wherever it is printed, and to support. */
export function momentInUtc(moment: Date): string {
  return `${momentFormat.format(moment).replace(' at ', ', ')} UTC`
}
