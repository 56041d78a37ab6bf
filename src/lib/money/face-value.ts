import { formatCount } from '../count.ts'
import { microUsdPerUsd } from './money.ts'

const microUsdPerCent = 10_000

/** A rate per minute as printed on stamps: `2.4¢`, from one dollar on `$1.14`. Never rounded. */
export function faceValue(microUsdPerMinute: number): string {
  return microUsdPerMinute < microUsdPerUsd
    ? `${(microUsdPerMinute / microUsdPerCent).toFixed(1)}¢`
    : `$${(microUsdPerMinute / microUsdPerUsd).toFixed(3).replace(/0$/, '')}`
}

/** An amount as printed on stamps, where `US$` and `USD` have no room: `$25`, `$1,200`, `$9.50`. */
export function faceAmount(usd: number): string {
  return `$${Number.isInteger(usd) ? formatCount(usd) : usd.toFixed(2)}`
}
