import { type ChangeEvent, useId, useMemo, useRef, useState } from 'react'
import { formatCount } from '#lib/count.ts'
import { type Country, countries, countryOfIso } from '#lib/numbers/countries.ts'
import { $contacts } from '#shared/contacts.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { $country } from '../number/dial.ts'
import styles from './contacts.module.css'
import { canPickContacts, type Imported, importBook, pickContacts } from './import-book.ts'
import { type ImportPlan, planImport } from './import-plan.ts'
import { type CardFile, decodeCards, maxCards, maxFileBytes, readCards } from './vcard.ts'

export interface ImportDialogProps {
  readonly onClose: () => void
}

type Rules = Awaited<ReturnType<typeof loadPhoneRules>>

interface Book {
  readonly file: CardFile
  readonly rules: Rules
  /** E.164 of what was saved before: what is imported meanwhile does not change the preview. */
  readonly saved: ReadonlySet<string>
}

const unread = "We couldn't read this file. Choose a .vcf file exported from an address book."
const empty = 'There are no contacts in this file. Choose a .vcf file exported from an address book.'
const tooLarge = 'This file is larger than 20 MB. Export fewer contacts, or leave out their pictures.'

const people = (count: number) => `${formatCount(count)} ${count === 1 ? 'contact' : 'contacts'}`

/** Of the browser's region, which is where its owner's local numbers are; else the one in the dialler. */
function ownCountry(): Country {
  const region = new Intl.Locale(navigator.language).maximize().region ?? ''
  return countryOfIso(region.toLowerCase()) ?? countryOfIso(region) ?? $country.get()
}

/** Choose a file, look at what it has, save it. Nothing is saved before the user has seen the counts. */
export function ImportDialog({ onClose }: ImportDialogProps) {
  const [book, setBook] = useState<Book | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const reading = useBusy()

  const show = async (file: CardFile): Promise<void> => {
    if (file.cards.length === 0) return setFailure(empty)
    const rules = await loadPhoneRules()
    const known = $contacts.get()
    const saved = new Set(known.state === 'ready' ? known.value.map(each => each.phone_number) : [])
    setBook({ file, rules, saved })
  }
  const attempt = (read: () => Promise<CardFile | string | null>) =>
    reading.run(async () => {
      setFailure(null)
      try {
        const file = await read()
        if (typeof file === 'string') setFailure(file)
        else if (file !== null) await show(file)
      } catch (error) {
        console.error("We couldn't read the contacts.", error)
        setFailure(unread)
      }
      return 'done'
    })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    // The same file can be chosen again after it was changed.
    event.target.value = ''
    if (file === undefined) return
    attempt(async () => {
      if (file.size > maxFileBytes) return tooLarge
      return readCards(decodeCards(new Uint8Array(await file.arrayBuffer())))
    })
  }
  const pick = () =>
    attempt(async () => {
      const cards = await pickContacts()
      return cards.length === 0 ? null : { cards, broken: 0, cut: false }
    })

  if (book !== null) return <Preview book={book} onClose={onClose} />
  return (
    <Dialog title="Import contacts" onClose={onClose}>
      <p>
        Choose a .vcf file from your phone's or computer's address book. You'll see what's in it before
        anything is saved.
      </p>
      <div className={styles.book}>
        <label className={`btn primary ${styles.file}`}>
          {reading.slow ? 'Reading…' : 'Choose a file'}
          <input className="sr" type="file" accept=".vcf,.vcard,text/vcard,text/x-vcard" onChange={choose} />
        </label>
        {canPickContacts() && (
          <button type="button" className="btn" onClick={pick}>
            Choose from this phone
          </button>
        )}
      </div>
      <FormNote message={failure} />
    </Dialog>
  )
}

type Step =
  | { readonly kind: 'looking' }
  | { readonly kind: 'saving'; readonly done: number }
  | { readonly kind: 'over'; readonly imported: Imported }

function Preview({ book, onClose }: { readonly book: Book; readonly onClose: () => void }) {
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
    return <Done imported={step.imported} onClose={onClose} />
  const saving = step.kind === 'saving'
  const failed = step.kind === 'over' ? step.imported : null
  return (
    <Dialog
      title="Import contacts"
      tall
      locked={saving}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" disabled={saving} onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="btn primary"
            disabled={saving || plan.ready.length === 0}
            onClick={() => void save()}
          >
            {saving ? `Saved ${step.done} of ${plan.ready.length}` : `Save ${people(plan.ready.length)}`}
          </button>
        </>
      }
    >
      <div role="status">
        <p>
          <b>
            {plan.ready.length === 0 ? 'Nothing new to save.' : `${people(plan.ready.length)} ready to save.`}
          </b>
          {plan.skipped > 0 && ` ${formatCount(plan.skipped)} saved already.`}
          {plan.faults.length > 0 && ` ${formatCount(plan.faults.length)} left out.`}
        </p>
        {file.broken > 0 && (
          <p className="soft small">{people(file.broken)} in the file could not be read to the end.</p>
        )}
        {file.cut && (
          <p className="soft small">Only the first {formatCount(maxCards)} contacts of the file are read.</p>
        )}
      </div>
      {failed !== null && (
        <FormNote
          message={`${failed.saved > 0 ? `${people(failed.saved)} saved, but: ` : ''}${failed.kind === 'failed' ? failed.message : ''} Save again to go on.`}
        />
      )}
      <div className="field">
        <label htmlFor={selectId}>Numbers without a country code are in</label>
        <select
          id={selectId}
          className="input"
          disabled={saving}
          value={country.id}
          onChange={event => setCountry(countries.find(({ id }) => id === event.target.value) ?? country)}
        >
          {countries.map(({ id, name, dialCode }) => (
            <option key={id} value={id}>
              {name} {dialCode}
            </option>
          ))}
        </select>
      </div>
      <Lists plan={plan} />
    </Dialog>
  )
}

function Lists({ plan: { ready, faults } }: { readonly plan: ImportPlan }) {
  return (
    <>
      {ready.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <ul className={`rows ${styles.ready}`} aria-label="Ready to save" tabIndex={0}>
          {ready.map(({ e164, name, formatted }) => (
            <li key={e164} className={styles.contact}>
              <div>
                <b>
                  <bdi>{name}</bdi>
                </b>
                <small className="num">{formatted}</small>
              </div>
            </li>
          ))}
        </ul>
      )}
      {faults.length > 0 && (
        <section>
          <h3>Left out</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
          <ul className={styles.faults} aria-label="Left out" tabIndex={0}>
            {faults.map(({ of, message }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice.
              <li key={place}>
                <bdi>{of}</bdi>: <span className="soft">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface DoneProps {
  readonly imported: Extract<Imported, { readonly kind: 'done' }>
  readonly onClose: () => void
}

function Done({ imported: { saved, skipped, message }, onClose }: DoneProps) {
  return (
    <Dialog
      title="Import contacts"
      onClose={onClose}
      footer={
        <button type="button" className="btn primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <div role="status">
        <p>
          <b>{people(saved)} saved.</b>
          {skipped > 0 && ` ${people(skipped)} left out.`}
        </p>
        {message !== null && <p className="soft">{message}</p>}
      </div>
    </Dialog>
  )
}
