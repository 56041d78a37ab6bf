/** ISO codes by the subregions of the United Nations' M49 standard; Kosovo and Taiwan by where they lie. */
const regions: readonly string[] = [
  'DZ EG LY MA SD TN', // Northern Africa
  'ET KE MG MU MZ RE RW SO TZ UG ZM ZW', // Eastern Africa
  'AO CD CM ZA', // Middle and Southern Africa
  'BF BJ CI CV GH GM GN LR ML NG SL SN TG', // Western Africa
  'AG AI BB BS CU DM DO GD HT JM KN KY LC MS PR SX TC TT VC VG VI', // Caribbean
  'CR GT HN MX NI PA SV', // Central America
  'AR BO BR CL CO EC FK GY PE PY UY VE', // South America
  'BM CA US', // Northern America
  'KG KZ TJ UZ', // Central Asia
  'CN HK JP KR TW', // Eastern Asia
  'ID KH MM MY PH SG TH VN', // South-eastern Asia
  'AF BD IN LK NP PK', // Southern Asia
  'AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE', // Western Asia
  'BG BY CZ HU MD PL RO RU SK UA', // Eastern Europe
  'DK EE FI GB GG IE IM IS JE LT LV NO SE', // Northern Europe
  'AL BA ES GR HR IT ME MK MT PT RS SI XK', // Southern Europe
  'AT BE CH DE FR LU NL', // Western Europe
  'AU FJ NZ', // Oceania
]

const regionOf = new Map<string, readonly string[]>()
for (const region of regions) {
  const isoCodes = region.split(' ')
  for (const isoCode of isoCodes) regionOf.set(isoCode, isoCodes)
}

/** Where callers of a country whose region is small look next: countries that people call most. */
const popular = ['US', 'GB', 'MX', 'IN', 'DE', 'FR']

/**
 * Five other countries: first those that share the dial code, then neighbours of the region in turn, so that every
 * country is somebody's neighbour, then popular ones.
 * @param isoCode upper case
 * @param sharing ISO codes of countries with the same dial code
 */
export function relatedTo(isoCode: string, sharing: readonly string[]): readonly string[] {
  const region = regionOf.get(isoCode)
  if (region === undefined) throw new Error(`${isoCode} has no region`)
  const place = region.indexOf(isoCode)
  const inTurn = [...region.slice(place + 1), ...region.slice(0, place)]
  const found = new Set([...sharing, ...inTurn, ...popular])
  found.delete(isoCode)
  return [...found].slice(0, 5)
}
