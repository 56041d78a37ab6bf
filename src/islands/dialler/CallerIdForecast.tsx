import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { type CallerIdKind, forecastCallerId } from '#lib/rules/caller-id-forecast.ts'
import { countryOfIso, defaultCountry } from '#lib/rules/countries.ts'
import { $callFrom } from '#stores/caller-ids.ts'
import { $phoneRules, $verdict } from '#stores/dial.ts'
import { Dialog } from './Dialog.tsx'
import styles from './number.module.css'

/** Under 'Call from': how that number will fare in the country of the number in the field, and why. */
export function CallerIdForecast() {
  const verdict = useStore($verdict)
  const rules = useStore($phoneRules)
  const callFrom = useStore($callFrom)
  const [explained, setExplained] = useState(false)
  const called = verdict?.kind === 'ok' ? countryOfIso(verdict.isoCode) : undefined
  if (called === undefined || rules === null) return null
  const forecast = forecastCallerId(called, kindOf(callFrom, rules.parseNumber))
  return (
    <>
      <button
        type="button"
        className={styles['forecast']}
        aria-haspopup="dialog"
        onClick={() => setExplained(true)}
      >
        {forecast.words}
        <span className="sr"> in {called.name}. Why?</span>
      </button>
      {explained && (
        <Dialog title={`What they see in ${called.name}`} onClose={() => setExplained(false)}>
          <p>
            <b>{forecast.words}.</b> {forecast.reason}
          </p>
          {forecast.source !== null && (
            <p className="soft small">
              Source:{' '}
              {forecast.source.url === undefined ? (
                forecast.source.name
              ) : (
                <a href={forecast.source.url} target="_blank" rel="noreferrer">
                  {forecast.source.name}
                </a>
              )}
            </p>
          )}
          <p className="soft small">
            A forecast, not a promise. <a href="/faq#own-number">More about your own number</a>
          </p>
        </Dialog>
      )}
    </>
  )
}

function kindOf(
  callFrom: string | null,
  parse: typeof import('#lib/rules/phone.ts').parseNumber,
): CallerIdKind {
  const verdict = callFrom === null ? null : parse(callFrom, defaultCountry)
  // A number of no country that we know is foreign everywhere.
  return verdict?.kind === 'ok'
    ? { kind: 'own', e164: verdict.e164, isoCode: verdict.isoCode }
    : { kind: 'public' }
}
