import { type Destination, destinationOf } from '#components/destinations.ts'
import type { CallingOffer } from '#components/structured-data.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'

/** A destination and the one ink of its stamp. */
export interface PopularDestination {
  readonly destination: Destination
  readonly ink: 'blue' | 'red' | 'black'
}

/** The specification's popular countries (section 2), in its order. */
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

/** What search engines are told of the stamps. */
export const popularOffers: readonly CallingOffer[] = popular.map(({ destination }) => ({
  name: `Calls to mobiles in ${destination.name}`,
  usdPerMinute: microUsdToUsd(destination.microUsdPerMinute),
}))
