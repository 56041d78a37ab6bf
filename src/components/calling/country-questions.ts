import { minutesText } from '#lib/count.ts'
import { formatBalance, formatRate } from '#lib/money/money.ts'
import { defaultFreeCallTerms, freeCallMinutes } from '#lib/money/pricing.ts'
import { type Country, countriesByIso, countryOfIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { riskyNumberMessage } from '#shared/numbers/risky-numbers.ts'
import { destinationOf } from '../destinations.ts'
import { pricesOf } from './call-prices.ts'
import { type Dialling, diallingOf, listed } from './dialling.ts'
import { isRisky } from './not-called.ts'
import { sharingCode } from './sharing.ts'

export interface CountryQuestion {
  readonly question: string
  readonly answer: string
}

const maxQuestions = 5

/** What callers of this very country ask, answered from its rates, its plan and its neighbours in the plan. */
export function questionsAbout(isoCode: string): readonly CountryQuestion[] {
  const country = countryOfIso(isoCode)
  if (country === undefined) throw new Error(`${isoCode} is no country of our list`)
  const dialling = diallingOf(country.isoCode)
  return [
    whatItCosts(country),
    whetherFree(country),
    ...severalCodes(country),
    ...sharedCode(country),
    ...caution(country),
    whatToType(country, dialling),
    ...mostExpensive(country),
  ].slice(0, maxQuestions)
}

function whatItCosts(country: Country): CountryQuestion {
  const place = placeName(country)
  const ordinary = pricesOf(country.isoCode).filter(({ prefixes }) => prefixes.length === 0)
  const rates = ordinary.map(({ to, perMinute }) => `${perMinute} a minute to ${to.toLowerCase()}`)
  const [first] = ordinary
  return {
    question: `What does a call to ${place} cost?`,
    answer: `${listed(rates)}, from the moment somebody answers. Ten minutes${ordinary.length > 1 ? ' to a mobile' : ''} cost ${first?.costs[1]}. There's no connection fee, part minutes are rounded up, and unanswered calls are free.`,
  }
}

function whetherFree(country: Country): CountryQuestion {
  const place = placeName(country)
  const { microUsdPerMinute, landlineMicroUsdPerMinute } = destinationOf(country.isoCode)
  const mobile = freeCallMinutes(microUsdPerMinute)
  const landline = freeCallMinutes(landlineMicroUsdPerMinute)
  const worth = formatBalance(defaultFreeCallTerms.worthMicroUsd)
  const terms = `New accounts get one free call, worth up to ${worth} and ${defaultFreeCallTerms.longestMinutes} minutes`
  const expensive = (to: string, rate: number) =>
    `At ${formatRate(rate)}, a single minute to ${to} costs more than that`
  const question = `Is my first call to ${place} free?`
  if (mobile === 0 && landline === 0)
    return {
      question,
      answer: `No. ${terms}. ${expensive('a landline there', landlineMicroUsdPerMinute)}, so you'd need credits. You keep your free call for another country.`,
    }
  if (mobile === 0)
    return {
      question,
      answer: `To a landline, for ${minutesText(landline)}. ${terms}. ${expensive('a mobile', microUsdPerMinute)}, so that needs credits.`,
    }
  const lengths =
    mobile === landline
      ? minutesText(mobile)
      : `${minutesText(mobile)} to a mobile, ${minutesText(landline)} to a landline`
  return { question, answer: `Yes, for ${lengths}. ${terms}.` }
}

function severalCodes({ isoCode, name }: Country): readonly CountryQuestion[] {
  const entries = countriesByIso.get(isoCode) ?? []
  if (entries.length === 1) return []
  const codes = entries.map(({ dialCode }) => spacedDialCode(dialCode))
  return [
    {
      question: `Which code is right: ${listed(codes, 'or')}?`,
      answer: `The one your number begins with. ${listed(codes)} all lead to ${placeName({ isoCode, name })} at the same price, and none belongs to a particular town or company.`,
    },
  ]
}

function sharedCode(country: Country): readonly CountryQuestion[] {
  const { isoCode, dialCode } = country
  if (isoCode === 'US' || isoCode === 'CA') return [everyNumberOfOne(country)]
  const others = sharingCode(isoCode).map(iso => destinationOf(iso))
  if (others.length === 0) return []
  const prices = others.map(
    ({ microUsdPerMinute, ...other }) => `${placeName(other)} ${formatRate(microUsdPerMinute)}`,
  )
  return [
    {
      question: `Do all numbers with ${dialCode} belong to ${placeName(country)}?`,
      answer: `No. ${listed(others.map(placeName))} ${others.length === 1 ? 'uses' : 'use'} ${dialCode} as well, at different prices. A minute to a mobile costs: ${listed(prices)}. The number decides, and the dialler shows its price before you call.`,
    },
  ]
}

function everyNumberOfOne(country: Country): CountryQuestion {
  const other = country.isoCode === 'US' ? 'Canada' : 'the United States'
  return {
    question: `Is every number with +1 in ${placeName(country)}?`,
    answer: `No. ${other[0]?.toUpperCase()}${other.slice(1)}, Bermuda and much of the Caribbean share +1, and the area code tells them apart: 876 is Jamaica, 809 the Dominican Republic. The dialler shows the price of your number before you call.`,
  }
}

function caution(country: Country): readonly CountryQuestion[] {
  if (!isRisky(country)) return []
  return [
    {
      question: `Why might my call to ${placeName(country)} not connect?`,
      answer: `${spacedDialCode(country.dialCode)} is one of the codes we warn about: “${riskyNumberMessage}” You can still call, and you only pay if somebody answers.`,
    },
  ]
}

function whatToType({ name }: Country, { examples }: Dialling): CountryQuestion {
  const example = examples.at(-1)
  return {
    question: `My number is written ${example?.written}. What do I type?`,
    answer: `Pick ${name} in the dialler and type it the way it's written there, or paste the whole number, ${example?.international}. Either way, you see it in full below the field before you call.`,
  }
}

function mostExpensive({ isoCode, name }: Country): readonly CountryQuestion[] {
  const line = pricesOf(isoCode).at(-1)
  if (line === undefined || line.prefixes.length === 0) return []
  return [
    {
      question: `Which numbers in ${placeName({ isoCode, name })} cost more?`,
      answer: `Those beginning with ${listed(line.prefixes, 'or')}, up to ${line.perMinute} a minute. The dialler shows the price of your number before you call.`,
    },
  ]
}

/** `+1809` as people read it: `+1 809`. */
export function spacedDialCode(dialCode: string): string {
  return dialCode.replace(/^\+1(?=\d)/, '+1 ')
}
