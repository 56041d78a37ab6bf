/** The rate that the page showed. @param text whole micro-dollars per minute; undefined for anything else */
export function expectedRate(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
