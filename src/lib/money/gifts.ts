/** Amounts and texts of a booklet, credits bought for somebody else (ADR-65). Whole US dollars; no bonus. */
export const giftPresetsUsd = [10, 25, 50] as const
export const minGiftUsd = 5
export const maxGiftUsd = 200

export const longestGiftName = 60
export const longestGiftMessage = 200

export function isGiftAmount(usd: number): boolean {
  return Number.isInteger(usd) && usd >= minGiftUsd && usd <= maxGiftUsd
}

/**
 * What mail programs turn into links, and a booklet must not carry a stranger's link into a mailbox: `//`, `www.`, a dot between a
 * letter or digit and what may be a top-level domain, four numbers with dots. The full stop of Chinese and Japanese is a dot of
 * addresses only before Latin letters.
 */
const linkPattern =
  /\/\/|\\\\|www\.|@[\p{L}\p{N}-]+\.|[\p{L}\p{N}][.](?:\p{L}\p{M}*){2,}|[\p{L}\p{N}][.。]\p{Script=Latin}{2,}|\d+\.\d+\.\d+\.\d+|xn--/iu

/** Whether a text reads as an address of the web or of mail, also in letters that only look different (NFKC). */
export function hasLink(text: string): boolean {
  return linkPattern.test(text.normalize('NFKC'))
}
