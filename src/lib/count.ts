/** `1,250`. For text that people read: the API, CSV files and inputs have plain digits. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** `1 minute`, `1,250 minutes`. */
export function minutesText(minutes: number): string {
  return `${formatCount(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`
}
