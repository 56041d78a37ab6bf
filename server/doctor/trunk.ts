import type { Check } from '../process/finding.ts'
import { StartError } from '../process/start-error.ts'
import { readTariff } from '../tariff/tariff-file.ts'
import { readCarrierPrices, trunkCosts } from '../telephony/trunk/carrier-prices.ts'
import { checkCarrierPrices, checkEdge } from '../telephony/trunk/doctor.ts'
import type { PricedCarrier } from '../telephony/trunk/routes.ts'
import { readTrunkFile, requireOwnMachine, type TrunkSettings } from '../telephony/trunk/trunk-file.ts'
import { checkPrices } from './prices.ts'

/** Checks of everything that a trunk file names. */
export function checksOfTrunks(file: string, production: boolean): readonly Check[] {
  const read = tryTo(() => {
    const settings = readTrunkFile(file)
    if (!production) requireOwnMachine(file, settings)
    return settings
  })
  if (read instanceof StartError) {
    // The error lists its problems below each other.
    const says = read.message.replace(/\n *- /, ' ').replaceAll(/\n *- /g, '; ')
    const mend = 'Correct the file, as docs/operating/trunk.md describes it.'
    return [{ about: 'Trunk file', run: async find => [find.problem(says, mend)] }]
  }
  const priced = tryTo(() => readCarrierPrices(read))
  return [
    checkCarrierPrices(read.carriers, file),
    ...(priced instanceof StartError ? [] : [checkTrunkPrices(priced, read)]),
    ...read.edges.map(edge => checkEdge(edge, read.carriers)),
  ]
}

function checkTrunkPrices(
  priced: readonly PricedCarrier[],
  { publicNumbers }: Pick<TrunkSettings, 'publicNumbers'>,
): Check {
  return checkPrices(
    { tariff: readTariff(), costs: trunkCosts(priced, publicNumbers), telephony: { publicNumbers } },
    'See which prefixes: npm run prices -- --check. Raise their prices, or find a cheaper carrier.',
  )
}

function tryTo<Value>(read: () => Value): Value | StartError {
  try {
    return read()
  } catch (error) {
    if (error instanceof StartError) return error
    throw error
  }
}
