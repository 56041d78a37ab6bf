import { type Destination, destinationOf } from '#components/destinations.ts'
import type { CallingRange } from '#components/structured-data.ts'
import { microUsdToUsd } from '#lib/money/money.ts'

export interface PopularDestination {
  readonly destination: Destination
  readonly ink: 'blue' | 'red' | 'black'
}

/** The popular countries of SPEC-2.30, in its order. */
export const popular: readonly PopularDestination[] = (
  [
    ['US', 'blue'],
    ['GB', 'black'],
    ['IN', 'red'],
    ['FR', 'blue'],
    ['DE', 'black'],
    ['BR', 'black'],
    ['ES', 'red'],
    ['IT', 'blue'],
    ['AU', 'black'],
    ['MX', 'red'],
  ] as const
).map(([isoCode, ink]) => ({ destination: destinationOf(isoCode), ink }))

const rates = popular.map(({ destination }) => microUsdToUsd(destination.microUsdPerMinute))

/** What search engines are told of the stamps; each country's page has its own offers. */
export const popularOffers: CallingRange = {
  lowUsdPerMinute: Math.min(...rates),
  highUsdPerMinute: Math.max(...rates),
  count: rates.length,
}
