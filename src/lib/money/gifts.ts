/** Amounts and texts of a booklet, credits bought for somebody else (ADR-65). Whole US dollars; no bonus. */
export const giftPresetsUsd = [10, 25, 50] as const
export const minGiftUsd = 5
export const maxGiftUsd = 200

export const longestGiftName = 60
export const longestGiftMessage = 200

export function isGiftAmount(usd: number): boolean {
  return Number.isInteger(usd) && usd >= minGiftUsd && usd <= maxGiftUsd
}

/** Mail programs turn these into links, and a gift must not carry a stranger's link into a mailbox. */
const linkPattern =
  /:\/\/|www\.|\b[\w-]+\.(com|net|org|info|biz|io|ru|cn|me|co|xyz|link|site|online|app|shop|top)\b/iu

export function hasLink(text: string): boolean {
  return linkPattern.test(text)
}
