/**
 * A format of dates that is made when it is first used: to make one takes a slow phone some twenty milliseconds.
 * @param locale BCP 47; undefined: the visitor's own
 */
export function dateFormat(
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return date => {
    format ??= new Intl.DateTimeFormat(locale, options)
    return format.format(date)
  }
}
