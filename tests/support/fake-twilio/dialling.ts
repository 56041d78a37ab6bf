import { countries } from '#lib/numbers/countries.ts'
import { operations, readParameters } from './parameters.ts'
import { notFound } from './rejection.ts'

/** The account's dialling permissions for one country. Tests may change them. */
export interface Permission {
  readonly name: string
  readonly codes: readonly string[]
  low: boolean
  special: boolean
  tollFraud: boolean
  /** With the plus, as Twilio sends them. */
  highRiskPrefixes: string[]
}

const base = 'https://voice.twilio.com/v1/DialingPermissions/Countries'
const defaultPageSize = 50

/**
 * The Voice Dialing Permissions API, as documented: `Countries`, and `HighRiskSpecialPrefixes` of one country. The
 * United States and Canada share one entry.
 */
export class Dialling {
  /** By ISO code. Initially exactly the countries that we sell are allowed, and no high-risk prefixes. */
  readonly permissions = new Map<string, Permission>()

  constructor() {
    for (const { isoCode, name, dialCode } of countries) {
      if (isoCode === 'CA') continue
      const known = this.permissions.get(isoCode)
      this.permissions.set(isoCode, {
        name: isoCode === 'US' ? 'United States/Canada' : name,
        codes: [...(known?.codes ?? []), dialCode],
        low: true,
        special: false,
        tollFraud: false,
        highRiskPrefixes: [],
      })
    }
  }

  permission(isoCode: string): Permission {
    return this.permissions.get(isoCode) ?? notFound(isoCode)
  }

  /** @param path below `/v1/DialingPermissions` */
  answer(path: string, query: URLSearchParams): object {
    const [, isoCode] = /^\/Countries\/([A-Z]{2})\/HighRiskSpecialPrefixes$/.exec(path) ?? []
    if (isoCode !== undefined) {
      const paging = readParameters(operations.highRiskPrefixes, query)
      const prefixes = this.permission(isoCode).highRiskPrefixes.map(prefix => ({ prefix }))
      return page(prefixes, `${base}/${isoCode}/HighRiskSpecialPrefixes`, paging)
    }
    if (path !== '/Countries') return notFound(path)
    const asked = readParameters(operations.diallingCountries, query)
    const wanted = (value: boolean, name: string) =>
      asked[name] === undefined || asked[name] === String(value)
    const found = [...this.permissions]
      .filter(([iso]) => asked['IsoCode'] === undefined || asked['IsoCode'] === iso)
      .filter(([, one]) => asked['CountryCode'] === undefined || one.codes.includes(asked['CountryCode']))
      .filter(
        ([, one]) =>
          wanted(one.low, 'LowRiskNumbersEnabled') &&
          wanted(one.special, 'HighRiskSpecialNumbersEnabled') &&
          wanted(one.tollFraud, 'HighRiskTollfraudNumbersEnabled'),
      )
      .map(([iso, one]) => ({
        iso_code: iso,
        name: one.name,
        continent: null,
        country_codes: one.codes,
        low_risk_numbers_enabled: one.low,
        high_risk_special_numbers_enabled: one.special,
        high_risk_tollfraud_numbers_enabled: one.tollFraud,
        url: `${base}/${iso}`,
        links: { highrisk_special_prefixes: `${base}/${iso}/HighRiskSpecialPrefixes` },
      }))
    return page(found, base, asked)
  }
}

function page(items: readonly object[], url: string, asked: Readonly<Record<string, string>>): object {
  const size = Number(asked['PageSize'] ?? defaultPageSize)
  const number = Number(asked['Page'] ?? 0)
  const content = items.slice(number * size, (number + 1) * size)
  const address = (index: number) => `${url}?PageSize=${size}&Page=${index}`
  return {
    content,
    meta: {
      first_page_url: address(0),
      key: 'content',
      next_page_url: (number + 1) * size < items.length ? address(number + 1) : null,
      page: number,
      page_size: size,
      previous_page_url: number > 0 ? address(number - 1) : null,
      url: address(number),
    },
  }
}
