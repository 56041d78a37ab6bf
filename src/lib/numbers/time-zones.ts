import { zonePlaces } from './zone-places-texts.ts'

export interface MainZone {
  /** IANA name. */
  readonly zone: string
  /** Places in the zone; empty if it is the whole country. */
  readonly place: string
}

/** Countries with several time zones: the most populous first, then west to east. */
const severalZones: Readonly<Record<string, readonly `${string}/${keyof typeof zonePlaces}`[]>> = {
  AU: ['Australia/Sydney', 'Australia/Perth', 'Australia/Darwin', 'Australia/Adelaide', 'Australia/Brisbane'],
  BR: ['America/Sao_Paulo', 'America/Rio_Branco', 'America/Manaus', 'America/Noronha'],
  CA: [
    'America/Toronto',
    'America/Vancouver',
    'America/Whitehorse',
    'America/Edmonton',
    'America/Regina',
    'America/Winnipeg',
    'America/Halifax',
    'America/St_Johns',
  ],
  CD: ['Africa/Kinshasa', 'Africa/Lubumbashi'],
  CL: ['America/Santiago', 'Pacific/Easter', 'America/Punta_Arenas'],
  EC: ['America/Guayaquil', 'Pacific/Galapagos'],
  ES: ['Europe/Madrid', 'Atlantic/Canary'],
  ID: ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura'],
  MX: [
    'America/Mexico_City',
    'America/Tijuana',
    'America/Hermosillo',
    'America/Ciudad_Juarez',
    'America/Matamoros',
    'America/Cancun',
  ],
  NZ: ['Pacific/Auckland', 'Pacific/Chatham'],
  PT: ['Europe/Lisbon', 'Atlantic/Azores'],
  RU: [
    'Europe/Moscow',
    'Europe/Kaliningrad',
    'Europe/Samara',
    'Asia/Yekaterinburg',
    'Asia/Omsk',
    'Asia/Novosibirsk',
    'Asia/Irkutsk',
    'Asia/Yakutsk',
    'Asia/Vladivostok',
    'Asia/Magadan',
    'Asia/Kamchatka',
  ],
  US: [
    'America/New_York',
    'Pacific/Honolulu',
    'America/Anchorage',
    'America/Los_Angeles',
    'America/Phoenix',
    'America/Denver',
    'America/Chicago',
  ],
}

/**
 * Countries with one official time: ISO code and the rest of the IANA name, by the name's first part. Beijing's time holds in
 * all of China and Kyiv's in all of Ukraine; Kosovo has no zone of its own. Not every browser can list a country's zones.
 */
const oneZone: Readonly<Record<string, string>> = {
  Africa: `
    AO Luanda, BF Ouagadougou, BJ Porto-Novo, CI Abidjan, CM Douala, DZ Algiers, EG Cairo,
    ET Addis_Ababa, GH Accra, GM Banjul, GN Conakry, KE Nairobi, LR Monrovia, LY Tripoli, MA Casablanca,
    ML Bamako, MZ Maputo, NG Lagos, RW Kigali, SD Khartoum, SL Freetown, SN Dakar, SO Mogadishu, TG Lome,
    TN Tunis, TZ Dar_es_Salaam, UG Kampala, ZA Johannesburg, ZM Lusaka, ZW Harare
  `,
  America: `
    AG Antigua, AI Anguilla, AR Argentina/Buenos_Aires, BB Barbados, BO La_Paz, BS Nassau, CO Bogota,
    CR Costa_Rica, CU Havana, DM Dominica, DO Santo_Domingo, GD Grenada, GT Guatemala, GY Guyana,
    HN Tegucigalpa, HT Port-au-Prince, JM Jamaica, KN St_Kitts, KY Cayman, LC St_Lucia, MS Montserrat,
    NI Managua, PA Panama, PE Lima, PR Puerto_Rico, PY Asuncion, SV El_Salvador, SX Lower_Princes,
    TC Grand_Turk, TT Port_of_Spain, UY Montevideo, VC St_Vincent, VE Caracas, VG Tortola, VI St_Thomas
  `,
  Asia: `
    AE Dubai, AF Kabul, AM Yerevan, AZ Baku, BD Dhaka, BH Bahrain, CN Shanghai, CY Nicosia, GE Tbilisi,
    HK Hong_Kong, IL Jerusalem, IN Kolkata, IQ Baghdad, JO Amman, JP Tokyo, KG Bishkek, KH Phnom_Penh,
    KR Seoul, KW Kuwait, KZ Almaty, LB Beirut, LK Colombo, MM Yangon, MY Kuala_Lumpur, NP Kathmandu,
    OM Muscat, PH Manila, PK Karachi, PS Gaza, QA Qatar, SA Riyadh, SG Singapore, SY Damascus,
    TH Bangkok, TJ Dushanbe, TW Taipei, UZ Tashkent, VN Ho_Chi_Minh, YE Aden
  `,
  Atlantic: 'BM Bermuda, CV Cape_Verde, FK Stanley, IS Reykjavik',
  Europe: `
    AL Tirane, AT Vienna, BA Sarajevo, BE Brussels, BG Sofia, BY Minsk, CH Zurich, CZ Prague, DE Berlin,
    DK Copenhagen, EE Tallinn, FI Helsinki, FR Paris, GB London, GG Guernsey, GR Athens, HR Zagreb,
    HU Budapest, IE Dublin, IM Isle_of_Man, IT Rome, JE Jersey, LT Vilnius, LU Luxembourg, LV Riga,
    MD Chisinau, ME Podgorica, MK Skopje, MT Malta, NL Amsterdam, NO Oslo, PL Warsaw, RO Bucharest,
    RS Belgrade, SE Stockholm, SI Ljubljana, SK Bratislava, TR Istanbul, UA Kyiv, XK Belgrade
  `,
  Indian: 'MG Antananarivo, MU Mauritius, RE Reunion',
  Pacific: 'FJ Fiji',
}

const onlyZones: ReadonlyMap<string, string> = new Map(
  Object.entries(oneZone).flatMap(([region, list]) =>
    list
      .trim()
      .split(/,\s*/)
      .map(entry => [entry.slice(0, 2), `${region}/${entry.slice(3)}`] as const),
  ),
)

/** The populated time zones of a country (upper case); empty if it is not one of ours. */
export function mainZones(isoCode: string): readonly MainZone[] {
  const zone = onlyZones.get(isoCode)
  if (zone !== undefined) return [{ zone, place: '' }]
  return (severalZones[isoCode] ?? []).map(several => {
    const [city = ''] = several.split('/').slice(-1)
    return { zone: several, place: zonePlaces[city as keyof typeof zonePlaces] }
  })
}

/** Undefined if the country has several zones or is not one of ours. */
export function onlyZone(isoCode: string): string | undefined {
  return onlyZones.get(isoCode)
}
