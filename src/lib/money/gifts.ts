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
 * What mail programs turn into links, and a booklet must not carry a stranger's link into a mailbox: `//`, `www.`, four numbers
 * with dots, and the best known endings. The server also knows all others (`server/payments/gifts/names-address.ts`).
 */
const linkPattern =
  /\/\/|\\\\|www[.。]|@[\p{L}\p{N}-]+\.|\d+\.\d+\.\d+\.\d+|xn--|\S[.。](com|net|org|info|biz|io|ru|cn|me|co|xyz|link|page|site|online|app|shop|top)\b/iu

/** Whether a text has a link, also in letters that only look different (NFKC). */
export function hasLink(text: string): boolean {
  return linkPattern.test(text.normalize('NFKC'))
}
