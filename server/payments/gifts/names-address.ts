import tlds from 'tlds' with { type: 'json' }
import { hasLink } from '#lib/money/gifts.ts'

const topLevelDomains: ReadonlySet<string> = new Set(tlds)

/** Letters, digits, marks and pictures on both sides of a dot; the full stop of Chinese and Japanese is one in an address. */
const dotted = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}-][.。]((?:\p{L}\p{M}*){2,})(?![\p{L}\p{M}])/gu

/**
 * Whether a text names a site of any top-level domain there is, or has a link. A name such as S.Kumar does not; a sentence without
 * a space after its full stop may: Mum.Call is an address, since `.call` is a top-level domain.
 */
export function namesAddress(text: string): boolean {
  if (hasLink(text)) return true
  const endings = [...text.normalize('NFKC').toLowerCase().matchAll(dotted)].map(([, ending = '']) => ending)
  return endings.some(ending => topLevelDomains.has(ending))
}
