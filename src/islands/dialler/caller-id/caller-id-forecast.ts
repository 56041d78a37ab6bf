import { countryName } from '#lib/numbers/country-name.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { type CountryRule, countryRules, type Outcome } from './caller-id-rules.ts'
import { forecastTexts, outcomeTexts } from './forecast-texts.ts'

export type CallerIdKind =
  | { readonly kind: 'public' }
  | { readonly kind: 'own'; readonly e164: string; readonly isoCode: string }

export interface Forecast {
  readonly outcome: Outcome
  readonly text: string
  readonly reason: string
  /** Who made the rule and when; null if unknown. */
  readonly source: CountryRule['source'] | null
}

/** Carriers may treat single calls differently. Sources: docs/caller-id-forecast.md. @param country the callee's */
export function forecastCallerId(
  country: { readonly isoCode: string; readonly name: string },
  callerId: CallerIdKind,
): Forecast {
  const rule = countryRules[planOf(country.isoCode)]
  if (rule === undefined) return forecast('hidden', forecastTexts.unknown, null)
  const plan = planOf(country.isoCode)
  const place = placeName(
    plan === country.isoCode ? country : { isoCode: plan, name: countryName(plan, 'United Kingdom') },
  )
  const others = rule.foreign === 'shown'
  const home = callerId.kind === 'own' && planOf(callerId.isoCode) === planOf(country.isoCode)
  if (!home)
    return forecast(
      rule.foreign,
      others ? forecastTexts.foreign({ place }) : forecastTexts.unsure({ place }),
      rule.source,
    )
  const { mobile } = rule
  const outcome = mobile?.shape.test(callerId.e164) === true ? mobile.outcome : rule.own
  const [reason, better] =
    outcome === 'blocked'
      ? [forecastTexts.stopped({ place }), forecastTexts.publicBetter]
      : [forecastTexts.withheld({ place }), forecastTexts.othersBetter]
  return forecast(outcome, others ? `${reason} ${better}` : reason, rule.source)
}

/** Guernsey, Jersey and the Isle of Man share the United Kingdom's numbers and rules. */
function planOf(isoCode: string): string {
  return ['GG', 'JE', 'IM'].includes(isoCode) ? 'GB' : isoCode
}

function forecast(outcome: Outcome, reason: string, source: Forecast['source']): Forecast {
  return { outcome, text: outcomeTexts[outcome], reason, source }
}
