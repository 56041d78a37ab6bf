import { formatRate } from '#lib/money/money.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { type PriceTools, priceCountry } from '../calls/placing/price.ts'
import type { Check } from '../process/finding.ts'

const maxNamed = 5

/**
 * Whether calls with our numbers cost what the pages say.
 * @param tools with the public numbers of the network
 * @param mend what to do where they cost more
 */
export function checkPrices(tools: PriceTools, mend: string): Check {
  return {
    about: 'Prices',
    run: async find => {
      const raised = [...tools.tariff.byIso.values()].flatMap(({ isoCode, ourRateMicroUsd }) => {
        const price = priceCountry(tools, isoCode)
        if (price === undefined || price.ourRateMicroUsd <= ourRateMicroUsd) return []
        const rates = `${formatRate(price.ourRateMicroUsd)} instead of ${formatRate(ourRateMicroUsd)}`
        return [`${countryOfIso(isoCode)?.name ?? isoCode} ${rates}`]
      })
      if (raised.length === 0)
        return [
          find.ok(
            'Calls that show a public number cost what the price list says, and never less than they cost us.',
          ),
        ]
      const more = raised.length - maxNamed
      return [
        find.problem(
          `With ${tools.telephony.publicNumbers.join(' and ')} calls cost more than the price list says: ${raised.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
          mend,
        ),
      ]
    },
  }
}
