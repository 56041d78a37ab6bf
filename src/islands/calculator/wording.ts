import { formatBalance, formatCharge, formatRate } from '#lib/money/money.ts'
import { callCostMicroUsd, chargedMinutes, defaultFreeCallTerms } from '#lib/money/pricing.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { minuteMs } from '#lib/time.ts'
import type { Calculation } from './calculator.ts'
import { formatCost, maxMinutes, minutesCostMicroUsd, minutesOf } from './minutes-cost.ts'
import { texts } from './texts.ts'

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
      return texts.lookingUp
    case 'unsupported':
      return texts.unsupported
    case 'estimate':
      return texts.estimated
    case 'known':
      return rate.freeMinutes === null ? '' : freeText(rate.freeMinutes)
  }
}

function freeText(freeMinutes: number): string {
  return freeMinutes === 0
    ? texts.notFree({ rate: formatBalance(defaultFreeCallTerms.worthMicroUsd) })
    : texts.free({ minutes: freeMinutes })
}

/** The actual charge for a part of a minute, or how far the calculator goes; otherwise empty. */
export function roundingText({ rate, minutes }: Calculation): string {
  const count = minutesOf(minutes) ?? 0
  if (count === maxMinutes) return texts.limit({ minutes: maxMinutes })
  if (Number.isInteger(count) || rate.kind === 'pending' || rate.kind === 'unsupported') return ''
  const lengthMs = count * minuteMs
  const charge = formatCharge(callCostMicroUsd(lengthMs, rate.microUsdPerMinute))
  return texts.rounded({ minutes: count, charged: chargedMinutes(lengthMs), charge })
}

/** Which caller ID the rate assumes, when the caller ID can raise it. */
export function callerText({ rate }: Calculation): string {
  if (rate.kind !== 'known' || rate.maxSurchargeMicroUsd === 0) return ''
  return texts.surcharge({ rate: formatRate(rate.maxSurchargeMicroUsd) })
}

/** The whole slip as one sentence, for screen readers. */
export function spokenText(calculation: Calculation): string {
  const { place, rate, minutes } = calculation
  const count = minutesOf(minutes)
  if (rate.kind === 'pending' || rate.kind === 'unsupported') return remarkText(calculation)
  if (count === null) return ''
  const cost = texts.spoken({ minutes: count, place: placeName(place), cost: costText(calculation) })
  return [cost, roundingText(calculation), remarkText(calculation)].filter(Boolean).join(' ')
}
