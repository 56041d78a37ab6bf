import type { RateKind } from './tariff.ts'

/**
 * Prefixes with a rule of their own (product decisions, 'Fraud limits', last paragraph). All are E.164 with
 * the plus.
 */

/**
 * The global codes: shared cost, satellite, personal and machine networks, premium rate. The specification
 * lists some of them among its dial-code prefixes. Always refused.
 */
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

/** +1 900, and exchange 976 of every +1 area code: premium rate, whatever the numbering plan says. */
const premiumNanp = /^\+1(?:900|\d{3}976)/

export function isGlobalServiceNumber(e164: string): boolean {
  return refusedGlobalPrefixes.some(prefix => e164.startsWith(prefix))
}

export function isNanpPremiumNumber(e164: string): boolean {
  return premiumNanp.test(e164)
}

/**
 * Where a call that costs more than its country's ordinary rates asks for a confirmation of the price: dial codes with
 * dear ranges inside (Nigeria, Pakistan, Russia and Kazakhstan), and every range of the tariff at twice the ordinary
 * rate or more, such as satellite numbers.
 */
const dearRanges =
  /^\+(?:234|92|7|1867|1907|31(?:8[58]|91)|35130|35376|3621|3906698|445[56]|4779|56322(?:100|551)|57608512|6114[57]|618916[24]|62868|643305|861(?:349|740)|90(?:392|5338|5428)|9725[69])/

/** Whether a number (E.164 with the plus) lies where some ranges ask for a confirmation of the price. */
export function mayAskPriceConfirmation(e164: string): boolean {
  return dearRanges.test(e164)
}

/**
 * Whether to have the price confirmed before calling.
 * @param e164 the number, with the plus
 * @param kind of the rate that the number has: only the ranges dearer than ordinary are `special`
 */
export function asksPriceConfirmation(e164: string, kind: RateKind): boolean {
  return kind === 'special' && mayAskPriceConfirmation(e164)
}
