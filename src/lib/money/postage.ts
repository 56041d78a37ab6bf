import { formatBalance } from './money.ts'

/**
 * What "less than a stamp" compares with: the stamp for a letter of one ounce from the United States to any country, from
 * 13 July 2025 (https://news.usps.com/2025/07/14/usps-adjusts-prices).
 */
export const stampMicroUsd = 1_700_000
export const stampBasis = `A stamp for an international letter from the United States costs ${formatBalance(stampMicroUsd)} (USPS, 13 July 2025).`

/** A free call costs less than a stamp. @param costMicroUsd what the caller paid in the end */
export function isLessThanStamp(costMicroUsd: number): boolean {
  return costMicroUsd < stampMicroUsd
}
