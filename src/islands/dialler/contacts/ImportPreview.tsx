import { useId, useMemo, useRef, useState } from 'react'
import { type Country, countries, countryOfIso, listedCountries } from '#lib/numbers/countries.ts'
import type { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { $country } from '../number/dial.ts'
import { ImportDone } from './ImportDone.tsx'
import { ImportLists } from './ImportLists.tsx'
import { type Imported, importBook } from './import-book.ts'
import { planImport } from './import-plan.ts'
import { importTexts } from './import-texts.ts'
import { type CardFile, maxCards } from './vcard.ts'

type Rules = Awaited<ReturnType<typeof loadPhoneRules>>

export interface Book {
  readonly file: CardFile
  readonly rules: Rules
  /** E.164 of what was saved before: what is imported meanwhile does not change the preview. */
  readonly saved: ReadonlySet<string>
}

/** Of the browser's region, which is where its owner's local numbers are; else the one in the dialler. */
function ownCountry(): Country {
  const region = new Intl.Locale(navigator.language).maximize().region ?? ''
  return countryOfIso(region.toLowerCase()) ?? countryOfIso(region) ?? $country.get()
}

type Step =
  | { readonly kind: 'looking' }
  | { readonly kind: 'saving'; readonly done: number }
  | { readonly kind: 'over'; readonly imported: Imported }

/** What a file has. Nothing is saved before the user has seen it. */
export function ImportPreview({ book, onClose }: { readonly book: Book; readonly onClose: () => void }) {
  const { file, rules, saved } = book
  const [country, setCountry] = useState(ownCountry)
  const [step, setStep] = useState<Step>({ kind: 'looking' })
  const plan = useMemo(() => planImport(file.cards, rules, country, saved), [file, rules, country, saved])
  const selectId = useId()
  const begun = useRef(false)

  const save = async () => {
    if (begun.current) return
    begun.current = true
    setStep({ kind: 'saving', done: 0 })
    const imported = await importBook(plan.ready, done => setStep({ kind: 'saving', done }))
    begun.current = false
    setStep({ kind: 'over', imported })
  }

  if (step.kind === 'over' && step.imported.kind === 'done')
    return <ImportDone imported={step.imported} onClose={onClose} />
  const saving = step.kind === 'saving'
  const failed = step.kind === 'over' ? step.imported : null
  return (
    <Dialog
      title={importTexts.title}
      tall
      locked={saving}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" disabled={saving} onClick={onClose}>
            {importTexts.cancel}
          </button>
          <button
            type="button"
            className="btn primary"
            disabled={saving || plan.ready.length === 0}
            onClick={() => void save()}
          >
            {saving
              ? importTexts.progress({ done: String(step.done), total: String(plan.ready.length) })
              : importTexts.save({ count: plan.ready.length })}
          </button>
        </>
      }
    >
      <div role="status">
        <p>
          <b>
            {plan.ready.length === 0
              ? importTexts.nothingNew
              : importTexts.ready({ count: plan.ready.length })}
          </b>
          {plan.skipped > 0 && ` ${importTexts.alreadySaved({ count: plan.skipped })}`}
          {plan.faults.length > 0 && ` ${importTexts.leftOut({ count: plan.faults.length })}`}
        </p>
        {file.broken > 0 && <p className="soft small">{importTexts.broken({ count: file.broken })}</p>}
        {file.cut && <p className="soft small">{importTexts.cut({ count: maxCards })}</p>}
      </div>
      {failed?.kind === 'failed' && (
        <FormNote
          message={
            failed.saved > 0
              ? importTexts.failedHalfway({ count: failed.saved, reason: failed.message })
              : importTexts.failed({ reason: failed.message })
          }
        />
      )}
      <div className="field">
        <label htmlFor={selectId}>{importTexts.numbersIn}</label>
        <select
          id={selectId}
          className="input"
          disabled={saving}
          value={country.id}
          onChange={event => setCountry(countries.find(({ id }) => id === event.target.value) ?? country)}
        >
          {listedCountries().map(({ id, name, dialCode }) => (
            <option key={id} value={id}>
              {importTexts.country({ name, dialCode })}
            </option>
          ))}
        </select>
      </div>
      <ImportLists plan={plan} />
    </Dialog>
  )
}
