import { texts } from './error-texts.ts'
import type { RateKind } from './tariff.ts'

/**
 * Prefixes with a rule of their own (product decisions, 'Fraud limits', last paragraph). All are E.164 with
 * the plus.
 */

/** Shown together with the number, which may still be called (specification section 5). */
export const riskyNumberMessage = texts.numbers.risky

/** The Caribbean +1 codes, Cuba, Haiti and Somalia. */
export const riskyPrefixes: readonly string[] = [
  '+1242', // Bahamas
  '+1246', // Barbados
  '+1264', // Anguilla
  '+1268', // Antigua and Barbuda
  '+1284', // British Virgin Islands
  '+1340', // US Virgin Islands
  '+1345', // Cayman Islands
  '+1441', // Bermuda
  '+1473', // Grenada
  '+1649', // Turks and Caicos Islands
  '+1658', // Jamaica
  '+1664', // Montserrat
  '+1721', // Sint Maarten
  '+1758', // St Lucia
  '+1767', // Dominica
  '+1784', // St Vincent and the Grenadines
  '+1787', // Puerto Rico
  '+1809', // Dominican Republic
  '+1829', // Dominican Republic
  '+1849', // Dominican Republic
  '+1868', // Trinidad and Tobago
  '+1869', // St Kitts and Nevis
  '+1876', // Jamaica
  '+1939', // Puerto Rico
  '+53', // Cuba
  '+509', // Haiti
  '+252', // Somalia
]

/** Whether a number (E.164 with the plus, also while it is typed) gets the caution. */
export function isRiskyNumber(e164: string): boolean {
  return riskyPrefixes.some(prefix => e164.startsWith(prefix))
}

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
 * Dial codes with dear ranges inside (Nigeria, Pakistan, Russia and Kazakhstan): a call to a number there
 * that costs more than its country's ordinary rates asks for a confirmation of the price, without a caution.
 */
export const priceConfirmationPrefixes: readonly string[] = ['+234', '+92', '+7']

/** Whether a number (E.164 with the plus) lies where some ranges ask for a confirmation of the price. */
export function mayAskPriceConfirmation(e164: string): boolean {
  return priceConfirmationPrefixes.some(prefix => e164.startsWith(prefix))
}

/**
 * Whether to have the price confirmed before calling.
 * @param e164 the number, with the plus
 * @param kind of the rate that the number has: only the ranges dearer than ordinary are `special`
 */
export function asksPriceConfirmation(e164: string, kind: RateKind): boolean {
  return kind === 'special' && mayAskPriceConfirmation(e164)
}
