import { countriesByIso } from './countries.ts'
import { texts } from './error-texts.ts'

/** Rejection message for emergency numbers (SPEC-5.4). */
export const emergencyMessage = texts.numbers.emergency

/** For every country we sell. None is reachable from abroad: an outdated entry is harmless, a missing one not. */
export const emergencyNumbers: Readonly<Record<string, readonly string[]>> = {
  AE: ['112', '997', '998', '999'],
  AF: ['100', '102', '112', '119'],
  AG: ['911', '999'],
  AI: ['911'],
  AL: ['112', '127', '128', '129'],
  AM: ['101', '102', '103', '112', '911'],
  AO: ['111', '112', '113', '115'],
  AR: ['100', '101', '107', '911'],
  AT: ['112', '122', '133', '144'],
  AU: ['000', '112'],
  AZ: ['101', '102', '103', '112'],
  BA: ['112', '122', '123', '124'],
  BB: ['211', '311', '511', '911'],
  BD: ['100', '101', '102', '199', '999'],
  BE: ['100', '101', '112'],
  BF: ['17', '18', '112'],
  BG: ['112', '150', '160', '166'],
  BH: ['199', '999'],
  BJ: ['112', '114', '116', '117', '118'],
  BM: ['911'],
  BO: ['110', '118', '119'],
  BR: ['112', '190', '192', '193', '911'],
  BS: ['911', '919'],
  BY: ['101', '102', '103', '112'],
  CA: ['911'],
  CD: ['112', '113', '114', '118', '177', '188'],
  CH: ['112', '117', '118', '144'],
  CI: ['110', '111', '170', '180', '185'],
  CL: ['131', '132', '133', '911'],
  CM: ['13', '17', '112', '113', '117', '118', '119'],
  CN: ['110', '119', '120', '122'],
  CO: ['112', '119', '123', '132', '156'],
  CR: ['112', '911'],
  CU: ['104', '105', '106'],
  CV: ['130', '131', '132'],
  CY: ['112', '199'],
  CZ: ['112', '150', '155', '156', '158'],
  DE: ['110', '112'],
  DK: ['112', '114'],
  DM: ['333', '911', '999'],
  DO: ['112', '911'],
  DZ: ['14', '17', '112'],
  EC: ['101', '102', '112', '911'],
  EE: ['110', '112'],
  EG: ['122', '123', '180'],
  ES: ['061', '062', '080', '085', '091', '092', '112'],
  ET: ['907', '911', '912', '939', '991'],
  FI: ['112'],
  FJ: ['910', '911', '917'],
  FK: ['999'],
  FR: ['15', '17', '18', '112', '114', '196'],
  GB: ['999', '112'],
  GD: ['911'],
  GE: ['112'],
  GG: ['999', '112'],
  GH: ['112', '191', '192', '193', '999'],
  GM: ['16', '17', '18', '116', '117', '118'],
  GN: ['17', '18', '117'],
  GR: ['100', '108', '112', '166', '199'],
  GT: ['110', '120', '122', '123'],
  GY: ['911', '912', '913'],
  HK: ['112', '992', '999'],
  HN: ['195', '198', '199', '911'],
  HR: ['112', '192', '193', '194'],
  HT: ['114', '115', '116', '118'],
  HU: ['104', '105', '107', '112'],
  ID: ['110', '112', '113', '115', '118', '119'],
  IE: ['999', '112'],
  IL: ['100', '101', '102', '112'],
  IM: ['999', '112'],
  IN: ['100', '101', '102', '108', '112'],
  IQ: ['104', '112', '115', '122'],
  IS: ['112'],
  IT: ['112', '113', '115', '118'],
  JE: ['999', '112'],
  JM: ['110', '112', '119', '911'],
  JO: ['112', '911'],
  JP: ['110', '118', '119'],
  KE: ['112', '114', '999'],
  KG: ['101', '102', '103', '112'],
  KH: ['117', '118', '119', '666'],
  KN: ['333', '911', '999'],
  KR: ['112', '119'],
  KW: ['112'],
  KY: ['911'],
  KZ: ['101', '102', '103', '104', '112'],
  LB: ['112', '125', '140', '175', '999'],
  LC: ['911', '999'],
  LK: ['110', '112', '118', '119', '1990'],
  LR: ['355', '911'],
  LT: ['101', '102', '103', '112'],
  LU: ['112', '113'],
  LV: ['110', '112', '113'],
  LY: ['190', '191', '193', '1515'],
  MA: ['15', '19', '112', '177'],
  MD: ['112', '901', '902', '903'],
  ME: ['112', '122', '123', '124'],
  MG: ['17', '18', '117', '118'],
  MK: ['112', '192', '193', '194'],
  ML: ['15', '17', '18'],
  MM: ['191', '192', '199'],
  MS: ['911', '999'],
  MT: ['112'],
  MU: ['112', '114', '115', '995', '999'],
  MX: ['911', '060', '065', '066', '068', '080'],
  MY: ['999', '112'],
  MZ: ['117', '119', '197', '198'],
  NG: ['112', '199'],
  NI: ['115', '118', '120', '128'],
  NL: ['112'],
  NO: ['110', '112', '113'],
  NP: ['100', '101', '102', '103', '112'],
  NZ: ['111'],
  OM: ['9999', '1444', '112'],
  PA: ['103', '104', '911'],
  PE: ['105', '116', '117'],
  PH: ['112', '117', '911'],
  PK: ['15', '16', '112', '115', '1122'],
  PL: ['112', '997', '998', '999'],
  PR: ['911'],
  PS: ['100', '101', '102'],
  PT: ['112', '115', '117'],
  PY: ['128', '132', '141', '911'],
  QA: ['112', '999'],
  RE: ['15', '17', '18', '112'],
  RO: ['112'],
  RS: ['112', '192', '193', '194'],
  RU: ['01', '02', '03', '101', '102', '103', '104', '112'],
  RW: ['111', '112', '912'],
  SA: ['112', '911', '997', '998', '999'],
  SD: ['112', '333', '998', '999'],
  SE: ['112'],
  SG: ['993', '995', '999'],
  SI: ['112', '113'],
  SK: ['112', '150', '155', '158'],
  SL: ['019', '112', '999'],
  SN: ['15', '17', '18', '1515'],
  SO: ['555', '888', '999'],
  SV: ['132', '911', '913'],
  SX: ['911', '919'],
  SY: ['110', '112', '113'],
  TC: ['911', '999'],
  TG: ['117', '118', '171', '172', '177'],
  TH: ['191', '199', '1669'],
  TJ: ['101', '102', '103', '112'],
  TN: ['190', '193', '197', '198'],
  TR: ['110', '112', '155'],
  TT: ['811', '990', '999'],
  TW: ['110', '112', '118', '119'],
  TZ: ['110', '111', '112', '114', '115', '999'],
  UA: ['101', '102', '103', '104', '112'],
  UG: ['112', '999'],
  US: ['911'],
  UY: ['104', '105', '109', '128', '911'],
  UZ: ['101', '102', '103', '112'],
  VC: ['911', '999'],
  VE: ['112', '171', '911'],
  VG: ['911', '999'],
  VI: ['911'],
  VN: ['112', '113', '114', '115'],
  XK: ['112', '192', '193', '194'],
  YE: ['191', '194', '195', '199'],
  ZA: ['107', '112', '10111', '10177'],
  ZM: ['112', '991', '992', '993', '999'],
  ZW: ['112', '993', '994', '995', '999'],
}

/** Every country must answer these (ITU-T E.161.1), so they are rejected whichever country is chosen. */
const answeredEverywhere: readonly string[] = ['112', '911']

/**
 * Whether a typed number is an emergency number.
 * @param isoCode the chosen country, upper case
 * @param typed digits with an optional leading plus, as returned by `keepDialable`; after a plus the country's dial
 * code may come first: `+44999`
 */
export function isEmergencyNumber(isoCode: string, typed: string): boolean {
  const numbers = emergencyNumbers[isoCode] ?? []
  if (!typed.startsWith('+')) return numbers.includes(typed) || answeredEverywhere.includes(typed)
  if (answeredEverywhere.includes(typed.slice(1))) return true
  return (countriesByIso.get(isoCode) ?? []).some(({ dialCode }) => {
    const rest = typed.startsWith(dialCode) ? typed.slice(dialCode.length) : ''
    return numbers.includes(rest) || answeredEverywhere.includes(rest)
  })
}

/**
 * The emergency number without its country code, to dial on a phone nearby.
 * @param typed digits with an optional leading plus, for which `isEmergencyNumber` is true in some country
 */
export function emergencyNumberIn(typed: string): string {
  const digits = typed.replace(/^(?:\+|0(?:0|11)(?=[1-9]))/, '')
  if (digits === typed || answeredEverywhere.includes(digits)) return digits
  for (const [isoCode, entries] of countriesByIso) {
    const found = entries.find(({ dialCode }) => digits.startsWith(dialCode.slice(1)))
    const rest = found === undefined ? '' : digits.slice(found.dialCode.length - 1)
    if (rest !== '' && isEmergencyNumber(isoCode, rest)) return rest
  }
  return digits
}
