import { Lock } from 'lucide-react'
import { useRef, useState } from 'react'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { byName } from '#lib/numbers/country-name.ts'
import { loadSpending, saveLocked } from '#shared/spending.ts'
import { Flag } from '#ui/Flag.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { LockDialog } from './LockDialog.tsx'
import { limits } from './limit-texts.ts'
import { Outcome } from './Outcome.tsx'
import styles from './profile.module.css'
import { texts } from './texts.ts'

/** Further countries are only counted. */
const maxListed = 8

export function LockedCountries({ locked }: { readonly locked: readonly string[] }) {
  const [choosing, setChoosing] = useState(false)
  const [outcome, setOutcome] = useState<string | null>(null)
  const open = useRef<HTMLButtonElement>(null)
  const listed = locked
    .map(isoCode => ({ isoCode, name: countryOfIso(isoCode)?.name ?? isoCode }))
    .sort(byName)
    .slice(0, maxListed)
  const rest = locked.length - listed.length

  const save = async (lock: readonly string[], unlock: readonly string[]): Promise<string | null> => {
    const result = await saveLocked(lock, unlock)
    if (!result.ok) return result.message
    setOutcome(texts.saved)
    return null
  }

  return (
    <div>
      <h3 className={styles['subhead']}>{limits.locked}</h3>
      {locked.length === 0 ? (
        <p className={styles['nothing']}>{limits.noneLocked}</p>
      ) : (
        <ul className={styles['locked']}>
          {listed.map(({ isoCode, name }) => (
            <li key={isoCode}>
              <Flag isoCode={isoCode} size={24} />
              {name}
            </li>
          ))}
          {rest > 0 && <li>{limits.more({ count: rest })}</li>}
        </ul>
      )}
      <div className={styles['done']}>
        <button
          ref={open}
          type="button"
          className={`btn ${styles['below']}`}
          aria-haspopup="dialog"
          onClick={() => {
            setOutcome(null)
            void loadSpending()
            setChoosing(true)
          }}
        >
          <Lock className="i" aria-hidden="true" />
          {limits.choose}
        </button>
        <Outcome message={outcome} />
      </div>
      {choosing && (
        <LockDialog
          locked={locked}
          onSave={save}
          onClose={() => {
            setChoosing(false)
            keepFocus(open)
          }}
        />
      )}
    </div>
  )
}
