import { useStore } from '@nanostores/react'
import { ChevronDown, Trash2 } from 'lucide-react'
import { type ChangeEvent, useEffect, useState } from 'react'
import { $callerIds, $callFrom, chooseCallFrom, followCallerIds } from '#stores/caller-ids.ts'
import { $formatNumber, loadNumberFormat } from '#stores/number-format.ts'
import { $verification, addCallerId } from '#stores/verify-caller-id.ts'
import styles from './caller-id.module.css'
import { useAroundPhone } from './use-around-phone.ts'

const publicNumber = 'public'
const addOne = 'add'
const selectId = 'call-from'

/** What the person who is called sees: our public number, or one of the caller's own. */
export function CallFrom() {
  const chosen = useStore($callFrom)
  const verified = useStore($callerIds)
  const { format } = useStore($formatNumber)
  const verifying = useStore($verification).state !== 'closed'
  const [removing, setRemoving] = useState(false)
  const around = useAroundPhone(true)
  useEffect(followCallerIds, [])
  useEffect(() => {
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  // What was remembered can be chosen before the list is there.
  const numbers = verified ?? (chosen === null ? [] : [chosen])

  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    if (target.value === addOne) void addCallerId()
    else chooseCallFrom(target.value === publicNumber ? null : target.value)
  }

  return (
    <div className={styles.row}>
      <div className="sender">
        <span className={styles['from']}>
          <label className="label" htmlFor={selectId}>
            Call from
          </label>
          {around && <around.CallerIdForecast />}
        </span>
        <select id={selectId} className="num" value={chosen ?? publicNumber} onChange={choose}>
          <option value={publicNumber}>Public number</option>
          {numbers.map(number => (
            <option key={number} value={number}>
              {format(number, '')}
            </option>
          ))}
          <option value={addOne}>Add Caller ID</option>
        </select>
        <ChevronDown className="i" aria-hidden="true" />
      </div>
      {around && <around.TestCall number={chosen} />}
      {chosen !== null && (
        <button
          type="button"
          className="tap"
          aria-label={`Remove ${format(chosen, '')} from your caller IDs`}
          onClick={() => setRemoving(true)}
        >
          <Trash2 className="i" aria-hidden="true" />
        </button>
      )}
      {verifying && around && <around.VerifyCallerIdDialog />}
      {removing && around && chosen !== null && (
        <around.RemoveCallerIdDialog
          number={chosen}
          onClose={() => {
            setRemoving(false)
            // The button that opened it goes with the number.
            requestAnimationFrame(() => {
              if (document.activeElement === document.body) document.getElementById(selectId)?.focus()
            })
          }}
        />
      )}
    </div>
  )
}
