/** A part of a country with a time of its own. */
export interface MainZone {
  /** IANA name. */
  readonly zone: string
  /** Where it holds; empty where the whole country keeps this time. */
  readonly place: string
}

/** Countries that keep several times: the zone of most people first, then from west to east. */
const severalZones: Readonly<Record<string, readonly (readonly [zone: string, place: string])[]>> = {
  AU: [
    ['Australia/Sydney', 'Sydney, Melbourne'],
    ['Australia/Perth', 'Perth'],
    ['Australia/Darwin', 'Darwin'],
    ['Australia/Adelaide', 'Adelaide'],
    ['Australia/Brisbane', 'Brisbane'],
  ],
  BR: [
    ['America/Sao_Paulo', 'São Paulo, Rio de Janeiro'],
    ['America/Rio_Branco', 'Rio Branco'],
    ['America/Manaus', 'Manaus'],
    ['America/Noronha', 'Fernando de Noronha'],
  ],
  CA: [
    ['America/Toronto', 'Toronto, Montreal'],
    ['America/Vancouver', 'Vancouver'],
    ['America/Whitehorse', 'Whitehorse'],
    ['America/Edmonton', 'Calgary, Edmonton'],
    ['America/Regina', 'Regina'],
    ['America/Winnipeg', 'Winnipeg'],
    ['America/Halifax', 'Halifax'],
    ['America/St_Johns', 'St John’s'],
  ],
  CD: [
    ['Africa/Kinshasa', 'Kinshasa'],
    ['Africa/Lubumbashi', 'Lubumbashi'],
  ],
  CL: [
    ['America/Santiago', 'Santiago'],
    ['Pacific/Easter', 'Easter Island'],
    ['America/Punta_Arenas', 'Punta Arenas'],
  ],
  EC: [
    ['America/Guayaquil', 'Quito, Guayaquil'],
    ['Pacific/Galapagos', 'Galápagos'],
  ],
  ES: [
    ['Europe/Madrid', 'Madrid, Barcelona'],
    ['Atlantic/Canary', 'Canary Islands'],
  ],
  ID: [
    ['Asia/Jakarta', 'Jakarta'],
    ['Asia/Makassar', 'Bali, Makassar'],
    ['Asia/Jayapura', 'Jayapura'],
  ],
  MX: [
    ['America/Mexico_City', 'Mexico City'],
    ['America/Tijuana', 'Tijuana'],
    ['America/Hermosillo', 'Hermosillo, Mazatlán'],
    ['America/Ciudad_Juarez', 'Ciudad Juárez'],
    ['America/Matamoros', 'Matamoros'],
    ['America/Cancun', 'Cancún'],
  ],
  NZ: [
    ['Pacific/Auckland', 'Auckland, Wellington'],
    ['Pacific/Chatham', 'Chatham Islands'],
  ],
  PT: [
    ['Europe/Lisbon', 'Lisbon, Madeira'],
    ['Atlantic/Azores', 'Azores'],
  ],
  RU: [
    ['Europe/Moscow', 'Moscow, St Petersburg'],
    ['Europe/Kaliningrad', 'Kaliningrad'],
    ['Europe/Samara', 'Samara'],
    ['Asia/Yekaterinburg', 'Yekaterinburg'],
    ['Asia/Omsk', 'Omsk'],
    ['Asia/Novosibirsk', 'Novosibirsk'],
    ['Asia/Irkutsk', 'Irkutsk'],
    ['Asia/Yakutsk', 'Yakutsk'],
    ['Asia/Vladivostok', 'Vladivostok'],
    ['Asia/Magadan', 'Magadan'],
    ['Asia/Kamchatka', 'Kamchatka'],
  ],
  US: [
    ['America/New_York', 'New York, Miami'],
    ['Pacific/Honolulu', 'Hawaii'],
    ['America/Anchorage', 'Alaska'],
    ['America/Los_Angeles', 'Los Angeles, Seattle'],
    ['America/Phoenix', 'Phoenix'],
    ['America/Denver', 'Denver'],
    ['America/Chicago', 'Chicago, Houston'],
  ],
}

/** China's official time is Beijing's everywhere, Ukraine's is Kyiv's; Kosovo has no IANA zone of its own. */
const officialZones: Readonly<Record<string, string>> = {
  CN: 'Asia/Shanghai',
  UA: 'Europe/Kyiv',
  XK: 'Europe/Belgrade',
}

/**
 * The zones that the people of a country live in, by the time-zone data of this Node.
 * @param isoCode upper case
 * @throws Error for a country whose zones are not known
 */
export function mainZones(isoCode: string): readonly MainZone[] {
  const several = severalZones[isoCode]
  if (several !== undefined) return several.map(([zone, place]) => ({ zone, place }))
  const zone = officialZones[isoCode] ?? zonesOf(isoCode)[0]
  if (zone === undefined) throw new Error(`no time zone is known for ${isoCode}`)
  return [{ zone, place: '' }]
}

const onlyZones = new Map<string, string | undefined>()

/** The zone of a country that keeps one time throughout; undefined where several do, or none is known. */
export function onlyZone(isoCode: string): string | undefined {
  if (!onlyZones.has(isoCode)) {
    const zone =
      severalZones[isoCode] === undefined ? (officialZones[isoCode] ?? zonesOf(isoCode)[0]) : undefined
    onlyZones.set(isoCode, zone)
  }
  return onlyZones.get(isoCode)
}

/** Every IANA zone of a country, the smallest included. */
export function zonesOf(isoCode: string): readonly string[] {
  // Newer than the type library of the language level that we use.
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(`und-${isoCode}`)
  return locale.getTimeZones?.() ?? []
}
