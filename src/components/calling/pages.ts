import { company } from '#lib/company.ts'
import { formatRate, microUsdToUsd } from '#lib/money/money.ts'
import { countriesByIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { countryPath, type Destination } from '../destinations.ts'
import { breadcrumbList, callingService, type StructuredData } from '../structured-data.ts'
import { callingTexts } from './texts.ts'

/** One page for each country we sell, by its lower-case ISO code. */
export function countryPages(): { params: { iso: string } }[] {
  return [...countriesByIso.keys()].map(isoCode => ({ params: { iso: isoCode.toLowerCase() } }))
}

export interface AboutCountry {
  readonly title: string
  readonly description: string
  readonly structuredData: readonly StructuredData[]
}

/** Characters. Search results cut off what is longer. */
const maxDescriptionLength = 165

/** Characters that are seen: those that only set a direction are not. */
function shownLength(text: string): number {
  return text.replace(/\p{Cf}/gu, '').length
}

/** What the head of a country's page says. `site` is where the site is published. */
export function aboutCountry(destination: Destination, site: URL | undefined): AboutCountry {
  const { isoCode, name, freeMinutes, microUsdPerMinute, landlineMicroUsdPerMinute } = destination
  const place = placeName(destination)
  const mobile = formatRate(microUsdPerMinute)
  const landline = formatRate(landlineMicroUsdPerMinute)
  const withFreeCall = callingTexts.descriptionFree({ place, mobile, landline, minutes: freeMinutes })
  const description =
    freeMinutes > 0 && shownLength(withFreeCall) <= maxDescriptionLength
      ? withFreeCall
      : callingTexts.description({ place, mobile, landline })
  const path = countryPath(isoCode)
  return {
    title: callingTexts.title({ place }),
    description,
    structuredData: site
      ? [
          callingService(
            {
              name: callingTexts.calls({ place }),
              description,
              path,
              areaServed: name,
              offers: [
                {
                  name: callingTexts.callsToMobiles({ place }),
                  usdPerMinute: microUsdToUsd(microUsdPerMinute),
                },
                {
                  name: callingTexts.callsToLandlines({ place }),
                  usdPerMinute: microUsdToUsd(landlineMicroUsdPerMinute),
                },
              ],
            },
            site,
          ),
          breadcrumbList(
            [
              { name: company.name, path: '/' },
              { name: callingTexts.destinations, path: '/destinations' },
              { name, path },
            ],
            site,
          ),
        ]
      : [],
  }
}
