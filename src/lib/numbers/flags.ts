/** SPEC-3.3. */
export function flagPath(isoCode: string): string {
  return `/flags/${isoCode.toLowerCase()}.svg`
}

/** Regional indicators for an upper-case ISO code, a fallback for the picture. */
export function flagEmoji(isoCode: string): string {
  const regionalIndicatorA = 0x1f1e6
  return String.fromCodePoint(...[...isoCode].map(letter => regionalIndicatorA + letter.charCodeAt(0) - 65))
}
