import { formatBalance } from './money.ts'
import { postage } from './postage-texts.ts'

/**
 * What "less than a stamp" compares with: the stamp for a letter of one ounce from the United States to any country, from
 * 13 July 2025 (https://news.usps.com/2025/07/14/usps-adjusts-prices).
 */
export const stampMicroUsd = 1_700_000

export function stampBasis(): string {
  return postage.basis({ price: formatBalance(stampMicroUsd) })
}

/** A free call costs less than a stamp. @param costMicroUsd what the caller paid in the end */
export function isLessThanStamp(costMicroUsd: number): boolean {
  return costMicroUsd < stampMicroUsd
}
