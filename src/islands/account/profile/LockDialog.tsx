import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Country, countriesByIso } from '#lib/numbers/countries.ts'
import { searchCountries } from '#lib/numbers/country-search.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Flag } from '#ui/Flag.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { limits } from './limit-texts.ts'
import styles from './profile.module.css'
import { texts } from './texts.ts'

export interface LockDialogProps {
  readonly locked: readonly string[]
  /** @returns an error message; null on success */
  readonly onSave: (lock: readonly string[], unlock: readonly string[]) => Promise<string | null>
  readonly onClose: () => void
}

const all: readonly string[] = [...countriesByIso.keys()]

/** Countries with several dial codes appear once. */
function find(query: string): readonly Country[] {
  const seen = new Set<string>()
  return searchCountries(query).filter(({ isoCode }) => !seen.has(isoCode) && seen.add(isoCode))
}

/** A tick locks a country. To allow only a few countries, tick all and untick those. */
export function LockDialog({ locked, onSave, onClose }: LockDialogProps) {
  /** Unsaved changes only, so that changes made on another page meanwhile are kept. */
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [saving, setSaving] = useState(false)
  const chosen = useMemo(() => {
    const ticked = new Set(locked)
    for (const [isoCode, lock] of changes) {
      if (lock) ticked.add(isoCode)
      else ticked.delete(isoCode)
    }
    return ticked
  }, [locked, changes])
  const [query, setQuery] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const found = useMemo(() => find(query), [query])
  const { slow, run } = useBusy()

  const change = (isoCodes: readonly string[], lock: boolean) => {
    // No changes while saving: what is shown must be what is saved.
    if (!saving) setChanges(new Map([...changes, ...isoCodes.map(isoCode => [isoCode, lock] as const)]))
  }
  const save = async (): Promise<'done'> => {
    setFailure(null)
    setSaving(true)
    const those = (lock: boolean) =>
      [...changes].filter(([, locks]) => locks === lock).map(([isoCode]) => isoCode)
    const fault = await onSave(those(true), those(false)).finally(() => setSaving(false))
    if (fault === null) onClose()
    else setFailure(fault)
    return 'done'
  }
  const few = chosen.size < all.length

  return (
    <Dialog
      title={limits.locked}
      tall
      onClose={onClose}
      footer={
        <>
          <button
            type="button"
            className="btn plain"
            onClick={() => change(few ? all : [...new Set([...all, ...locked])], few)}
          >
            {few ? limits.lockAll : limits.unlockAll}
          </button>
          <button type="button" className="btn primary" onClick={() => run(save)}>
            {slow ? texts.saving : limits.saveLocked({ count: chosen.size })}
          </button>
        </>
      }
    >
      <div className="withicon">
        <Search className="i" aria-hidden="true" />
        <input
          className="input"
          type="text"
          inputMode="search"
          autoComplete="off"
          spellCheck={false}
          aria-label={limits.search}
          placeholder={limits.searchPlaceholder}
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
      </div>
      <fieldset className={styles['countries']} disabled={saving}>
        <legend className="sr">{limits.legend}</legend>
        {found.map(({ isoCode, name, emoji, dialCode }) => (
          <label key={isoCode}>
            <input
              type="checkbox"
              checked={chosen.has(isoCode)}
              onChange={event => change([isoCode], event.target.checked)}
            />
            <Flag isoCode={isoCode} emoji={emoji} size={24} />
            <span>{name}</span>
            <span className="num" dir="ltr">
              {dialCode}
            </span>
          </label>
        ))}
      </fieldset>
      <p className={found.length > 0 ? 'sr' : 'soft'} role="status">
        {found.length === 0 ? limits.noMatch : limits.found({ count: found.length })}
      </p>
      <FormNote message={failure} />
    </Dialog>
  )
}
