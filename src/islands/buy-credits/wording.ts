import {
  bonusCredits,
  creditsForUsd,
  estimatedMinutes,
  estimateRateMicroUsd,
  reviewAboveUsd,
} from '#lib/rules/credits.ts'
import { formatBalance, microUsdPerUsd } from '#lib/rules/money.ts'

const count = new Intl.NumberFormat('en')

/** Stands where nothing is chosen. */
const nothing = '–'

/** The rate at which the estimate of minutes holds (decision 27). */
export const estimateRateText = `${estimateRateMicroUsd / 10_000}¢`

/** US dollars with their cents. */
export function dollarsText(usd: number): string {
  return formatBalance(usd * microUsdPerUsd)
}

/** `1,250 minutes`: what an amount buys without a bonus. */
export function presetMinutesText(usd: number): string {
  return `${count.format(estimatedMinutes(usd))} minutes`
}

/** Empty where no bonus applies. */
export function freeMinutesText(usd: number): string {
  const minutes = estimatedMinutes(bonusCredits(usd))
  return minutes > 0 ? `+${count.format(minutes)} minutes free!` : ''
}

export interface SummaryTexts {
  readonly credits: string
  /** In credits: rounded down to whole ones, a percentage would not be true. */
  readonly bonus: string
  /** The bonus included. */
  readonly minutes: string
  readonly pay: string
}

/** The lines above the button. @param usd whole US dollars; null where nothing is chosen */
export function summaryTexts(usd: number | null): SummaryTexts {
  if (usd === null) return { credits: nothing, bonus: nothing, minutes: nothing, pay: nothing }
  const bonus = bonusCredits(usd)
  return {
    credits: dollarsText(usd),
    bonus: bonus > 0 ? `+${count.format(bonus)} credits` : 'from $50',
    minutes: count.format(estimatedMinutes(creditsForUsd(usd))),
    pay: dollarsText(usd),
  }
}

/** The same in a sentence, for those who hear it. */
export function spokenSummary(usd: number | null): string {
  if (usd === null) return 'No amount is chosen.'
  const { minutes, pay } = summaryTexts(usd)
  const bonus = bonusCredits(usd)
  const credits = `${count.format(creditsForUsd(usd))} credits${bonus > 0 ? `, ${count.format(bonus)} of them free` : ''}`
  return `You pay ${pay} for ${credits}: ${minutes} minutes at ${estimateRateText} a minute.`
}

/** How large payments are released (fraud limits): always said, and with figures where this one is large. */
export function reviewText(usd: number | null): string {
  const least = `$${count.format(reviewAboveUsd)}`
  if (usd === null || usd <= reviewAboveUsd)
    return `Above ${least} in one day, the part beyond, and the bonus, are added after a review.`
  const beyond = `$${count.format(usd - reviewAboveUsd)}`
  return `${least} of this is added at once, less what you have paid in the last 24 hours. The other ${beyond} or more, and the bonus, are added after a review.`
}
