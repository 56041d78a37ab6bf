import { placeName } from '#lib/numbers/place-name.ts'
import { type CountryRule, countryRules, type Outcome } from './caller-id-rules.ts'

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

const text: Readonly<Record<Outcome, string>> = {
  shown: 'Likely shown',
  hidden: 'May be hidden',
  blocked: 'May be blocked',
}

/** Carriers may treat single calls differently. Sources: docs/caller-id-forecast.md. @param country the callee's */
export function forecastCallerId(
  country: { readonly isoCode: string; readonly name: string },
  callerId: CallerIdKind,
): Forecast {
  const rule = countryRules[planOf(country.isoCode)]
  if (rule === undefined) return forecast('hidden', unknown, null)
  const plan = planOf(country.isoCode)
  const name = placeName(plan === country.isoCode ? country : { isoCode: plan, name: 'United Kingdom' })
  const others = rule.foreign === 'shown'
  const home = callerId.kind === 'own' && planOf(callerId.isoCode) === planOf(country.isoCode)
  if (!home) return forecast(rule.foreign, others ? foreign(name) : unsure(name), rule.source)
  const { mobile } = rule
  const outcome = mobile?.shape.test(callerId.e164) === true ? mobile.outcome : rule.own
  return forecast(
    outcome,
    outcome === 'blocked' ? stopped(name, others) : withheld(name, others),
    rule.source,
  )
}

/** Guernsey, Jersey and the Isle of Man share the United Kingdom's numbers and rules. */
function planOf(isoCode: string): string {
  return ['GG', 'JE', 'IM'].includes(isoCode) ? 'GB' : isoCode
}

function forecast(outcome: Outcome, reason: string, source: Forecast['source']): Forecast {
  return { outcome, text: text[outcome], reason, source }
}

const unknown =
  "Networks abroad may hide or replace the number on a call from another country. We can't tell in advance."

function foreign(name: string): string {
  return `The rules in ${name} only affect that country's own numbers. Others usually get through.`
}

function unsure(name: string): string {
  return `Networks in ${name} may hide, replace or flag the number on a call from another country. We can't tell when.`
}

function withheld(name: string, others: boolean): string {
  const more = others ? ' A number from another country gets through more often.' : ''
  return `A number from ${name} may be hidden or flagged there on a call from abroad.${more}`
}

function stopped(name: string, others: boolean): string {
  const more = others ? ' The public number gets through more often.' : ''
  return `Networks in ${name} block calls from abroad that show a number from ${name}, or replace the number.${more}`
}
