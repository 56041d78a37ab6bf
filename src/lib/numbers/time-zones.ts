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
  return (severalZones[isoCode] ?? []).map(([several, place]) => ({ zone: several, place }))
}

/** Undefined if the country has several zones or is not one of ours. */
export function onlyZone(isoCode: string): string | undefined {
  return onlyZones.get(isoCode)
}
