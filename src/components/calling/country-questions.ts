import { listed } from '#lib/i18n/list-format.ts'
import { formatBalance, formatRate } from '#lib/money/money.ts'
import { defaultFreeCallTerms, freeCallMinutes } from '#lib/money/pricing.ts'
import { type Country, countriesByIso, countryOfIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { cautionTexts } from '#shared/numbers/caution-texts.ts'
import { destinationOf } from '../destinations.ts'
import { pricesOf } from './call-prices.ts'
import { questionTexts } from './country-question-texts.ts'
import { type Dialling, diallingOf } from './dialling.ts'
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
    ...expensiveRanges(country),
  ].slice(0, maxQuestions)
}

function whatItCosts(country: Country): CountryQuestion {
  const ordinary = pricesOf(country.isoCode).filter(({ prefixes }) => prefixes.length === 0)
  const [{ perMinute, ten } = { perMinute: '', ten: '' }, landline] = ordinary.map(line => ({
    perMinute: line.perMinute,
    ten: line.costs[1] ?? '',
  }))
  return {
    question: questionTexts.cost({ place: placeName(country) }),
    answer:
      landline === undefined
        ? questionTexts.costBoth({ rate: perMinute, ten })
        : questionTexts.costEach({ mobile: perMinute, landline: landline.perMinute, ten }),
  }
}

function whetherFree(country: Country): CountryQuestion {
  const { microUsdPerMinute, landlineMicroUsdPerMinute } = destinationOf(country.isoCode)
  const mobile = freeCallMinutes(microUsdPerMinute)
  const landline = freeCallMinutes(landlineMicroUsdPerMinute)
  const terms = {
    worth: formatBalance(defaultFreeCallTerms.worthMicroUsd),
    longest: defaultFreeCallTerms.longestMinutes,
  }
  const answer = () => {
    if (mobile === 0 && landline === 0)
      return questionTexts.freeNo({ ...terms, rate: formatRate(landlineMicroUsdPerMinute) })
    if (mobile === 0)
      return questionTexts.freeLandline({ ...terms, minutes: landline, rate: formatRate(microUsdPerMinute) })
    if (mobile === landline) return questionTexts.freeYes({ ...terms, minutes: mobile })
    return questionTexts.freeEach({ ...terms, mobile, landline })
  }
  return { question: questionTexts.free({ place: placeName(country) }), answer: answer() }
}

function severalCodes(country: Country): readonly CountryQuestion[] {
  const entries = countriesByIso.get(country.isoCode) ?? []
  if (entries.length === 1) return []
  const codes = entries.map(({ dialCode }) => spacedDialCode(dialCode))
  return [
    {
      question: questionTexts.codes({ codes: listed(codes, 'disjunction') }),
      answer: questionTexts.codesAnswer({ codes: listed(codes), place: placeName(country) }),
    },
  ]
}

function sharedCode(country: Country): readonly CountryQuestion[] {
  const { isoCode, dialCode: code } = country
  if (isoCode === 'US' || isoCode === 'CA') return [everyNumberOfOne(country)]
  const others = sharingCode(isoCode).map(destinationOf)
  if (others.length === 0) return []
  const prices = others.map(other =>
    questionTexts.priceTo({ place: placeName(other), rate: formatRate(other.microUsdPerMinute) }),
  )
  return [
    {
      question: questionTexts.sharedCode({ code, place: placeName(country) }),
      answer: questionTexts.sharedCodeAnswer({
        count: others.length,
        places: listed(others.map(placeName)),
        code,
        prices: listed(prices),
      }),
    },
  ]
}

function everyNumberOfOne(country: Country): CountryQuestion {
  return {
    question: questionTexts.plusOne({ place: placeName(country) }),
    answer: country.isoCode === 'US' ? questionTexts.plusOneUnitedStates : questionTexts.plusOneCanada,
  }
}

function caution(country: Country): readonly CountryQuestion[] {
  if (!isRisky(country)) return []
  return [
    {
      question: questionTexts.risky({ place: placeName(country) }),
      answer: questionTexts.riskyAnswer({
        code: spacedDialCode(country.dialCode),
        caution: cautionTexts.risky,
      }),
    },
  ]
}

function whatToType({ name }: Country, { examples }: Dialling): CountryQuestion {
  const { written = '', international = '' } = examples.at(-1) ?? {}
  return {
    question: questionTexts.type({ written }),
    answer: questionTexts.typeAnswer({ name, international }),
  }
}

function expensiveRanges(country: Country): readonly CountryQuestion[] {
  const line = pricesOf(country.isoCode).at(-1)
  if (line === undefined || line.prefixes.length === 0) return []
  return [
    {
      question: questionTexts.expensive({ place: placeName(country) }),
      answer: questionTexts.expensiveAnswer({
        prefixes: listed(line.prefixes, 'disjunction'),
        rate: line.perMinute,
      }),
    },
  ]
}

/** `+1809` as people read it: `+1 809`. */
export function spacedDialCode(dialCode: string): string {
  return dialCode.replace(/^\+1(?=\d)/, '+1 ')
}
