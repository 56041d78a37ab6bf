import { useStore } from '@nanostores/react'
import { ChevronDown, Trash2 } from 'lucide-react'
import { type ChangeEvent, useEffect, useState } from 'react'
import { $callerIds, $callFrom, chooseCallFrom, followCallerIds } from '#shared/caller-ids/caller-ids.ts'
import { $formatNumber, loadNumberFormat } from '#shared/numbers/number-format.ts'
import { texts } from '../texts.ts'
import { useLazyDialler } from '../use-lazy-dialler.ts'
import styles from './caller-id.module.css'

const publicNumber = 'public'
const addOne = 'add'
const selectId = 'call-from'

async function startVerification(): Promise<void> {
  try {
    const { addCallerId } = await import('#shared/caller-ids/verify-caller-id.ts')
    await addCallerId()
  } catch (error) {
    // The page offers a reload when a chunk does not load.
    console.error('The verification did not load.', error)
  }
}

/** The number the callee sees: our public number, or one of the user's own. */
export function CallFrom() {
  const chosen = useStore($callFrom)
  const verified = useStore($callerIds)
  const { format } = useStore($formatNumber)
  const [removing, setRemoving] = useState(false)
  const lazy = useLazyDialler(true)
  useEffect(followCallerIds, [])
  useEffect(() => {
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  // A remembered number can be chosen before the list is loaded.
  const numbers = verified ?? (chosen === null ? [] : [chosen])

  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    if (target.value === addOne) void startVerification()
    else chooseCallFrom(target.value === publicNumber ? null : target.value)
  }

  return (
    <div className={styles.row}>
      <div className="sender">
        <span className={styles['from']}>
          <label className="label" htmlFor={selectId}>
            {texts.callFrom}
          </label>
          {lazy && <lazy.CallerIdForecast />}
        </span>
        <select id={selectId} className="num" value={chosen ?? publicNumber} onChange={choose}>
          <option value={publicNumber}>{texts.publicNumber}</option>
          {numbers.map(number => (
            <option key={number} value={number} dir="ltr">
              {format(number, '')}
            </option>
          ))}
          <option value={addOne}>{texts.addCallerId}</option>
        </select>
        <ChevronDown className="i" aria-hidden="true" />
      </div>
      {lazy && <lazy.TestCall number={chosen} />}
      {chosen !== null && (
        <button
          type="button"
          className="tap"
          aria-label={texts.removeCallerId({ number: format(chosen, '') })}
          onClick={() => setRemoving(true)}
        >
          <Trash2 className="i" aria-hidden="true" />
        </button>
      )}
      {lazy && <lazy.VerifyCallerIdDialog />}
      {removing && lazy && chosen !== null && (
        <lazy.RemoveCallerIdDialog
          number={chosen}
          onClose={() => {
            setRemoving(false)
            // The button that had the focus is removed with the number.
            requestAnimationFrame(() => {
              if (document.activeElement === document.body) document.getElementById(selectId)?.focus()
            })
          }}
        />
      )}
    </div>
  )
}
