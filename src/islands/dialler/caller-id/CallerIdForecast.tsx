import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { $callFrom } from '#shared/caller-ids/caller-ids.ts'
import { $phoneRules } from '#shared/numbers/phone-rules.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { $verdict } from '../number/dial.ts'
import styles from '../number/number.module.css'
import { type CallerIdKind, forecastCallerId } from './caller-id-forecast.ts'
import { forecastTexts, sourceTexts } from './forecast-texts.ts'

/** Under 'Call from': how the caller ID will fare in the destination country, and why. */
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
        {forecastTexts.button({
          forecast: forecast.text,
          place: called.name,
          more: text => (
            <span key="more" className="sr">
              {text}
            </span>
          ),
        })}
      </button>
      {explained && (
        <Dialog title={forecastTexts.title({ place: called.name })} onClose={() => setExplained(false)}>
          <p>
            {forecastTexts.explained({
              forecast: forecast.text,
              reason: forecast.reason,
              outcome: text => <b key="outcome">{text}</b>,
            })}
          </p>
          {forecast.source !== null && (
            <p className="soft small">
              {forecastTexts.source({
                name: sourceTexts[forecast.source.id],
                link: text =>
                  forecast.source?.url === undefined ? (
                    text
                  ) : (
                    <a key="link" href={forecast.source.url} target="_blank" rel="noreferrer">
                      {text}
                    </a>
                  ),
              })}
            </p>
          )}
          <p className="soft small">
            {forecastTexts.more({
              link: text => (
                <a key="link" href={localPath('/faq#own-number')}>
                  {text}
                </a>
              ),
            })}
          </p>
        </Dialog>
      )}
    </>
  )
}

function kindOf(
  callFrom: string | null,
  parse: typeof import('#lib/numbers/phone.ts').parseNumber,
): CallerIdKind {
  const verdict = callFrom === null ? null : parse(callFrom, defaultCountry)
  // A number of unknown country counts as foreign everywhere.
  return verdict?.kind === 'ok'
    ? { kind: 'own', e164: verdict.e164, isoCode: verdict.isoCode }
    : { kind: 'public' }
}
