import type { RateKind } from '../money/tariff.ts'

/** Prefixes with special rules (PD-64 to PD-66), in E.164 with the plus. */

/** Always rejected (PD-64): shared cost, satellite, personal and machine networks, premium rate (SPEC-3.15). */
export const refusedGlobalPrefixes: readonly string[] = [
  '+808',
  '+870',
  '+878',
  '+881',
  '+882',
  '+883',
  '+888',
  '+979',
]

/** Premium rate whatever the numbering plan says: +1 900, and exchange 976 of every +1 area code. */
const premiumNanp = /^\+1(?:900|\d{3}976)/

/** Canada's caller-pays and satellite range, which carriers charge by the dollar. */
const satelliteNanp = '+1600'

export function isNanpSatelliteNumber(e164: string): boolean {
  return e164.startsWith(satelliteNanp)
}

export function isGlobalServiceNumber(e164: string): boolean {
  return refusedGlobalPrefixes.some(prefix => e164.startsWith(prefix))
}

export function isNanpPremiumNumber(e164: string): boolean {
  return premiumNanp.test(e164)
}

/**
 * Ranges in which a rate above the country's ordinary one needs confirmation: dial codes with expensive ranges inside
 * (Nigeria, Pakistan, Russia and Kazakhstan), and every tariff range at twice the ordinary rate or more.
 */
const expensiveRanges =
  /^\+(?:234|92|7|1867|1907|31(?:8[58]|91)|35130|35376|3621|3906698|445[56]|4779|56322(?:100|551)|57608512|6114[57]|618916[24]|62868|643305|861(?:349|740)|90(?:392|5338|5428)|9725[69])/

/** Whether an E.164 number (with the plus) is in a range where some numbers need confirmation of the price. */
export function mayAskPriceConfirmation(e164: string): boolean {
  return expensiveRanges.test(e164)
}

/** Whether the user must confirm the price. `e164` has the plus; only rates above the ordinary one are `special`. */
export function asksPriceConfirmation(e164: string, kind: RateKind): boolean {
  return kind === 'special' && mayAskPriceConfirmation(e164)
}
