export interface MainZone {
  /** IANA name. */
  readonly zone: string
  /** Places in the zone; empty if it is the whole country. */
  readonly place: string
}

/** Countries with several time zones: the most populous first, then west to east. */
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

/** The official time is Beijing's in all of China and Kyiv's in all of Ukraine; Kosovo has no IANA zone. */
const officialZones: Readonly<Record<string, string>> = {
  CN: 'Asia/Shanghai',
  UA: 'Europe/Kyiv',
  XK: 'Europe/Belgrade',
}

/** The populated time zones of a country (upper case), from this Node's data. @throws Error if they are unknown */
export function mainZones(isoCode: string): readonly MainZone[] {
  const several = severalZones[isoCode]
  if (several !== undefined) return several.map(([zone, place]) => ({ zone, place }))
  const zone = officialZones[isoCode] ?? zonesOf(isoCode)[0]
  if (zone === undefined) throw new Error(`no time zone is known for ${isoCode}`)
  return [{ zone, place: '' }]
}

const onlyZones = new Map<string, string | undefined>()

/** Undefined if the country has several zones or none is known. */
export function onlyZone(isoCode: string): string | undefined {
  if (!onlyZones.has(isoCode)) {
    const zone =
      severalZones[isoCode] === undefined ? (officialZones[isoCode] ?? zonesOf(isoCode)[0]) : undefined
    onlyZones.set(isoCode, zone)
  }
  return onlyZones.get(isoCode)
}

export function zonesOf(isoCode: string): readonly string[] {
  // Newer than our `lib` target's types.
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(`und-${isoCode}`)
  return locale.getTimeZones?.() ?? []
}
