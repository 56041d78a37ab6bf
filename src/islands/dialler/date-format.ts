/** Day before month, in the visitor's time zone. Created lazily: it takes a slow phone about 20 ms. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return date => {
    format ??= new Intl.DateTimeFormat('en-GB', options)
    return format.format(date)
  }
}
