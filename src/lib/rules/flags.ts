/** Where the flag's picture is served (specification section 3). */
export function flagPath(isoCode: string): string {
  return `/flags/${isoCode.toLowerCase()}.svg`
}

/** The flag of an upper-case ISO code as a pair of regional indicators, for where its picture cannot be had. */
export function flagEmoji(isoCode: string): string {
  const regionalIndicatorA = 0x1f1e6
  return String.fromCodePoint(...[...isoCode].map(letter => regionalIndicatorA + letter.charCodeAt(0) - 65))
}
