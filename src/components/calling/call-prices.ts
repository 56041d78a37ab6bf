import { formatCost } from '#islands/calculator/minutes-cost.ts'
import { formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import { affordableMinutes, freeCallMinutes } from '#lib/money/pricing.ts'
import { destinationOf, tariff } from '../destinations.ts'
import { lineTexts } from './texts.ts'

export interface PriceLine {
  /** `Mobiles`. */
  readonly to: string
  /** What the numbers begin with; empty for the ordinary ones. */
  readonly prefixes: readonly string[]
  readonly microUsdPerMinute: number
  /** `$0.024`. */
  readonly perMinute: string
  /** For 5, 10 and 30 minutes, to the nearest cent, as the rate calculator shows them (SPEC-5.1). */
  readonly costs: readonly string[]
  /** Whole minutes that a first call there is free for; 0 when it is not eligible. */
  readonly freeMinutes: number
}

export const listedMinutes = [5, 10, 30] as const

/** The ordinary rates first, then what is dearer, cheapest first. `isoCode` is upper case. */
export function pricesOf(isoCode: string): readonly PriceLine[] {
  const { microUsdPerMinute, landlineMicroUsdPerMinute } = destinationOf(isoCode)
  const ordinary =
    microUsdPerMinute === landlineMicroUsdPerMinute
      ? [line(lineTexts.mobilesAndLandlines, microUsdPerMinute)]
      : [line(lineTexts.mobiles, microUsdPerMinute), line(lineTexts.landlines, landlineMicroUsdPerMinute)]
  return [...ordinary, ...expensivePrices(isoCode)]
}

/** Whole minutes to an ordinary mobile that an amount of whole dollars pays for. */
export function minutesFor(usd: number, isoCode: string): number {
  return affordableMinutes(usdToMicroUsd(usd), destinationOf(isoCode).microUsdPerMinute)
}

function line(to: string, microUsdPerMinute: number, prefixes: readonly string[] = []): PriceLine {
  return {
    to,
    prefixes,
    microUsdPerMinute,
    perMinute: formatRate(microUsdPerMinute),
    costs: listedMinutes.map(minutes => formatCost(microUsdPerMinute * minutes)),
    freeMinutes: freeCallMinutes(microUsdPerMinute),
  }
}

const expensive = Map.groupBy(
  tariff.rates.filter(({ kind }) => kind === 'special'),
  ({ isoCode }) => isoCode,
)

function expensivePrices(isoCode: string): readonly PriceLine[] {
  const rates = expensive.get(isoCode) ?? []
  const prices = [...new Set(rates.map(rate => rate.microUsdPerMinute))].sort((a, b) => a - b)
  return prices.map(price => {
    const prefixes = rates.filter(rate => rate.microUsdPerMinute === price).map(rate => rate.prefix)
    const name = lineTexts[whatLiesThere[prefixes[0] ?? ''] ?? 'moreExpensive']
    return line(name, price, prefixes.map(spaced))
  })
}

/** What lies behind a dearer prefix, where national plans leave no doubt (ACMA, CNAC, Ofcom, Anacom and the like). */
const whatLiesThere: Readonly<Record<string, keyof typeof lineTexts>> = {
  '1867': 'northernCanada',
  '1907': 'alaska',
  '3906698': 'vaticanCity',
  '4455': 'companies',
  '4779': 'svalbard',
  '56322100': 'easterIsland',
  '5935252': 'galapagos',
  '61145': 'satellite',
  '6189162': 'cocosAndChristmas',
  '643305': 'chatham',
  '861349': 'satellite',
  '861740': 'satellite',
  '99436': 'nakhchivan',
}

/** `61145` as `+61 145`, by the dial code that it starts with. */
function spaced(prefix: string): string {
  const length = dialCodeLength(prefix)
  return prefix.length > length ? `+${prefix.slice(0, length)} ${prefix.slice(length)}` : `+${prefix}`
}

/** Country codes have one digit (1 and 7), two or three; the ones of two are in ITU-T E.164, annex. */
function dialCodeLength(prefix: string): number {
  if (/^[17]/.test(prefix)) return 1
  return /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/.test(prefix) ? 2 : 3
}
