import { company } from '#lib/company.ts'
import { minutesText } from '#lib/count.ts'
import { formatRate, microUsdToUsd } from '#lib/money/money.ts'
import { countriesByIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { countryPath, type Destination } from '../destinations.ts'
import { breadcrumbList, callingService, type StructuredData } from '../structured-data.ts'

/** One page for each country we sell, by its lower-case ISO code. */
export function countryPages(): { params: { iso: string } }[] {
  return [...countriesByIso.keys()].map(isoCode => ({ params: { iso: isoCode.toLowerCase() } }))
}

export interface AboutCountry {
  readonly title: string
  readonly description: string
  readonly structuredData: readonly StructuredData[]
}

/** What the head of a country's page says. `site` is where the site is published. */
export function aboutCountry(destination: Destination, site: URL | undefined): AboutCountry {
  const { isoCode, name, freeMinutes, microUsdPerMinute, landlineMicroUsdPerMinute } = destination
  const place = placeName(destination)
  const mobile = formatRate(microUsdPerMinute)
  const landline = formatRate(landlineMicroUsdPerMinute)
  const free = freeMinutes > 0 ? ` First call free for ${minutesText(freeMinutes)}.` : ''
  const description = `Call ${place} from your browser: ${mobile} a minute to mobiles, ${landline} to landlines.${free} Local time and how to dial.`
  const path = countryPath(isoCode)
  return {
    title: `Call ${place} from your browser`,
    description,
    structuredData: site
      ? [
          callingService(
            {
              name: `Calls to ${place}`,
              description,
              path,
              areaServed: name,
              offers: [
                { name: `Calls to mobiles in ${place}`, usdPerMinute: microUsdToUsd(microUsdPerMinute) },
                {
                  name: `Calls to landlines in ${place}`,
                  usdPerMinute: microUsdToUsd(landlineMicroUsdPerMinute),
                },
              ],
            },
            site,
          ),
          breadcrumbList(
            [
              { name: company.name, path: '/' },
              { name: 'Destinations', path: '/destinations' },
              { name, path },
            ],
            site,
          ),
        ]
      : [],
  }
}
