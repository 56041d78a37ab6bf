import { formatCount } from '#lib/count.ts'
import {
  bonusCredits,
  creditsForUsd,
  estimatedMinutes,
  estimateRateMicroUsd,
  newCustomerHours,
  newCustomerSpendUsd,
  reviewAboveUsd,
} from '#lib/money/credits.ts'
import { dollarsText, formatBalance, microUsdPerUsd } from '#lib/money/money.ts'
import { texts } from './texts.ts'

/** `$1,200` */
const wholeDollars = (usd: number) => dollarsText(String(usd))

/** Shown when no amount is chosen. */
const nothing = '–'

/** The rate on which the estimate of minutes is based (PD-27). */
export const estimateRateText = `${estimateRateMicroUsd / 10_000}¢`

/** Minutes that an amount buys without a bonus: `1,250 minutes`. */
export function presetMinutesText(usd: number): string {
  return texts.minutes({ minutes: estimatedMinutes(usd) })
}

/** Minutes that the bonus buys. Empty when no bonus applies. */
export function freeMinutesText(usd: number): string {
  const minutes = estimatedMinutes(bonusCredits(usd))
  return minutes > 0 ? texts.freeMinutes({ minutes }) : ''
}

export interface SummaryTexts {
  readonly credits: string
  /** In credits: a percentage would be wrong, because bonuses are rounded down to whole credits. */
  readonly bonus: string
  readonly minutes: string
  readonly pay: string
}

/** @param usd whole US dollars; null when no amount is chosen */
export function summaryTexts(usd: number | null): SummaryTexts {
  if (usd === null) return { credits: nothing, bonus: nothing, minutes: nothing, pay: nothing }
  const bonus = bonusCredits(usd)
  const pay = formatBalance(usd * microUsdPerUsd)
  return {
    credits: pay,
    bonus: bonus > 0 ? texts.bonusCredits({ credits: bonus }) : texts.bonusFrom,
    minutes: formatCount(estimatedMinutes(creditsForUsd(usd))),
    pay,
  }
}

/** The summary as one sentence, for screen readers. */
export function spokenSummary(usd: number | null): string {
  if (usd === null) return texts.noAmount
  const bonus = bonusCredits(usd)
  const credits = creditsForUsd(usd)
  const values = {
    pay: formatBalance(usd * microUsdPerUsd),
    credits,
    minutes: estimatedMinutes(credits),
    rate: estimateRateText,
  }
  return bonus > 0 ? texts.spokenWithBonus({ ...values, bonus }) : texts.spoken(values)
}

export function newCustomerText(): string {
  return texts.newCustomer({ hours: newCustomerHours, amount: wholeDollars(newCustomerSpendUsd) })
}

/** How large payments are reviewed and released. Always shown; with figures when this amount is large. */
export function reviewText(usd: number | null): string {
  const atOnce = wholeDollars(reviewAboveUsd)
  return usd === null || usd <= reviewAboveUsd
    ? texts.review({ amount: atOnce })
    : texts.reviewLarge({ atOnce, rest: wholeDollars(usd - reviewAboveUsd) })
}
