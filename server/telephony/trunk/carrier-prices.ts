import { StartError } from '../../process/start-error.ts'
import { type CallCosts, callCostsOf } from '../../tariff/call-costs.ts'
import { cheapestCosts, costsForCallers } from '../../tariff/cheapest.ts'
import { readCostRows } from '../../tariff/costs-file.ts'
import type { PricedCarrier } from './routes.ts'
import type { TrunkSettings } from './trunk-file.ts'

/** @throws StartError when a carrier's prices cannot be read */
export function readCarrierPrices({ carriers }: Pick<TrunkSettings, 'carriers'>): readonly PricedCarrier[] {
  return carriers.map(carrier => {
    try {
      return { carrier, costs: callCostsOf(readCostRows(carrier.prices), 'trunks') }
    } catch (error) {
      const command = `npm run prices -- <list.csv> --trunk <trunk file> --carrier ${carrier.name} --import`
      const why = `The prices of carrier ${carrier.name} cannot be read: ${(error as Error).message}.`
      throw new StartError(`${why} Import them: ${command}`, { cause: error })
    }
  })
}

/** By which calls over trunks are priced. @param publicNumbers E.164, the only ones that some carriers show */
export function trunkCosts(carriers: readonly PricedCarrier[], publicNumbers: readonly string[]): CallCosts {
  return cheapestCosts(
    carriers.map(({ carrier, costs }) =>
      carrier.callerIds === 'ours' ? costsForCallers(costs, publicNumbers) : costs,
    ),
  )
}
