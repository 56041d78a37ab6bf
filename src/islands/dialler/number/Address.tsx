import { useStore } from '@nanostores/react'
import { ChevronDown } from 'lucide-react'
import { startTransition, useDeferredValue, useEffect, useState } from 'react'
import { Flag } from '#ui/Flag.tsx'
import { CallFrom } from '../caller-id/CallFrom.tsx'
import styles from '../dialler.module.css'
import { texts } from '../texts.ts'
import { useLazyDialler } from '../use-lazy-dialler.ts'
import { localTimeId } from './description-ids.ts'
import { $country } from './dial.ts'
import { NumberField } from './NumberField.tsx'
import { RateLine } from './RateLine.tsx'

export function Address() {
  const country = useStore($country)
  const listed = useDeferredValue(country)
  const [isOpen, setOpen] = useState(false)
  const lazy = useLazyDialler(isOpen)
  // Prepared after the phone, so that a press only has to show the list.
  const [isPrepared, setPrepared] = useState(false)
  const [closings, setClosings] = useState(0)
  useEffect(() => {
    if (lazy !== null) startTransition(() => setPrepared(true))
  }, [lazy])
  const close = () => {
    if (!isOpen) return
    setOpen(false)
    // The next list starts without a search.
    startTransition(() => setClosings(count => count + 1))
  }
  return (
    <div className="address">
      <div className={`to ${styles['to']}`}>
        <button
          type="button"
          className="pick"
          aria-haspopup="dialog"
          aria-label={texts.country({ name: country.name, code: country.dialCode })}
          onClick={() => setOpen(true)}
        >
          <Flag isoCode={country.isoCode} emoji={country.emoji} size={24} />
          <span className={styles['country']}>
            <span>{country.name}</span>
            <span className="num" dir="ltr">
              {country.dialCode}
            </span>
          </span>
          <ChevronDown className="i" aria-hidden="true" />
        </button>
        <span id={localTimeId} className={`num ${styles['there']}`}>
          {lazy && <lazy.LocalTime />}
        </span>
      </div>
      <NumberField />
      <RateLine />
      <CallFrom />
      {(isPrepared || isOpen) && lazy && (
        <lazy.CountryPicker key={`${listed.id} ${closings}`} chosen={listed} shown={isOpen} onClose={close} />
      )}
    </div>
  )
}
