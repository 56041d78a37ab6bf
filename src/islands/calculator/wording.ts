import { formatCount, minutesText } from '#lib/count.ts'
import { formatBalance, formatCharge, formatRate } from '#lib/money/money.ts'
import { callCostMicroUsd, chargedMinutes, defaultFreeCallTerms } from '#lib/money/pricing.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { minuteMs } from '#lib/time.ts'
import type { Calculation } from './calculator.ts'
import { formatCost, maxMinutes, minutesCostMicroUsd, minutesOf } from './minutes-cost.ts'

/** Shown when no rate is known. */
const nothing = '–'
const waiting = '…'

/** The rate per minute, with 3 decimals. */
export function rateText({ rate }: Calculation): string {
  if (rate.kind === 'pending') return waiting
  return rate.kind === 'unsupported' ? nothing : formatRate(rate.microUsdPerMinute)
}

/** Minutes × rate, with 2 decimals (SPEC-5.1). */
export function costText({ rate, minutes }: Calculation): string {
  if (rate.kind === 'pending') return waiting
  const count = minutesOf(minutes)
  if (rate.kind === 'unsupported' || count === null) return nothing
  return formatCost(minutesCostMicroUsd(count, rate.microUsdPerMinute))
}

/** The length of a free first call to this country (PD-20), or why the rate is missing or estimated. */
export function remarkText({ rate }: Calculation): string {
  switch (rate.kind) {
    case 'pending':
      return 'Looking up the rate…'
    case 'unsupported':
      return 'This destination is currently not supported.'
    case 'estimate':
      return "We couldn't get the rate just now, so this is an estimate."
    case 'known':
      return rate.freeMinutes === null ? '' : freeText(rate.freeMinutes)
  }
}

function freeText(freeMinutes: number): string {
  return freeMinutes === 0
    ? `The free first call covers rates up to ${formatBalance(defaultFreeCallTerms.worthMicroUsd)}, so not this one.`
    : `A first call there is free for ${minutesText(freeMinutes)}.`
}

/** The actual charge for a part of a minute, or how far the calculator goes; otherwise empty. */
export function roundingText({ rate, minutes }: Calculation): string {
  const count = minutesOf(minutes) ?? 0
  if (count === maxMinutes) return `The calculator goes up to ${minutesText(maxMinutes)}.`
  if (Number.isInteger(count) || rate.kind === 'pending' || rate.kind === 'unsupported') return ''
  const lengthMs = count * minuteMs
  const charge = formatCharge(callCostMicroUsd(lengthMs, rate.microUsdPerMinute))
  return `${minutesText(count)} are charged as ${formatCount(chargedMinutes(lengthMs))}: ${charge}.`
}

/** Which caller ID the rate assumes, when the caller ID can raise it. */
export function callerText({ rate }: Calculation): string {
  if (rate.kind !== 'known' || rate.maxSurchargeMicroUsd === 0) return ''
  return ` With our number shown; your own can add up to ${formatRate(rate.maxSurchargeMicroUsd)} a minute.`
}

/** The whole slip as one sentence, for screen readers. */
export function spokenText(calculation: Calculation): string {
  const { place, rate, minutes } = calculation
  const count = minutesOf(minutes)
  if (rate.kind === 'pending' || rate.kind === 'unsupported') return remarkText(calculation)
  if (count === null) return ''
  const cost = `${minutesText(count)} to ${placeName(place)}: ${costText(calculation)}.`
  return [cost, roundingText(calculation), remarkText(calculation)].filter(Boolean).join(' ')
}
