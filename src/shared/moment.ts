const momentFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** In UTC, so that a receipt reads the same wherever it is printed. */
export function momentInUtc(moment: Date): string {
  return `${momentFormat.format(moment).replace(' at ', ', ')} UTC`
}
