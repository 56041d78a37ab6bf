/** Created lazily: it takes a slow phone about 20 ms. @param locale BCP 47; undefined: the visitor's own */
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
