import { formatCount, minutesText } from '#lib/count.ts'
import {
  bonusCredits,
  creditsForUsd,
  estimatedMinutes,
  estimateRateMicroUsd,
  newCustomerHours,
  newCustomerSpendUsd,
  reviewAboveUsd,
} from '#lib/money/credits.ts'
import { formatBalance, microUsdPerUsd } from '#lib/money/money.ts'

/** Shown when no amount is chosen. */
const nothing = '–'

/** The rate on which the estimate of minutes is based (PD-27). */
export const estimateRateText = `${estimateRateMicroUsd / 10_000}¢`

function dollarsText(usd: number): string {
  return formatBalance(usd * microUsdPerUsd)
}

/** The face value of a stamp: `$1,200`. */
export function stampText(usd: number): string {
  return `$${formatCount(usd)}`
}

/** Minutes that an amount buys without a bonus: `1,250 minutes`. */
export function presetMinutesText(usd: number): string {
  return minutesText(estimatedMinutes(usd))
}

/** Minutes that the bonus buys. Empty when no bonus applies. */
export function freeMinutesText(usd: number): string {
  const minutes = estimatedMinutes(bonusCredits(usd))
  return minutes > 0 ? `+${minutesText(minutes)} free!` : ''
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
  return {
    credits: dollarsText(usd),
    bonus: bonus > 0 ? `+${formatCount(bonus)} credits` : 'from $50',
    minutes: formatCount(estimatedMinutes(creditsForUsd(usd))),
    pay: dollarsText(usd),
  }
}

/** The summary as one sentence, for screen readers. */
export function spokenSummary(usd: number | null): string {
  if (usd === null) return 'No amount chosen.'
  const { minutes, pay } = summaryTexts(usd)
  const bonus = bonusCredits(usd)
  const credits = `${formatCount(creditsForUsd(usd))} credits${bonus > 0 ? `, ${formatCount(bonus)} of them free` : ''}`
  return `You pay ${pay} for ${credits}: ${minutes} minutes at ${estimateRateText} a minute.`
}

export const newCustomerText = `In the ${newCustomerHours} hours after your first payment, you can spend up to $${newCustomerSpendUsd} on calls.`

/** How large payments are reviewed and released. Always shown; with figures when this amount is large. */
export function reviewText(usd: number | null): string {
  const minText = `$${formatCount(reviewAboveUsd)}`
  if (usd === null || usd <= reviewAboveUsd)
    return `Amounts over ${minText} a day, and their bonus, arrive after a short review.`
  const beyond = `$${formatCount(usd - reviewAboveUsd)}`
  return `${minText} of this arrives at once, minus what you paid in the last 24 hours. The other ${beyond} or more, and the bonus, arrive after a short review.`
}
