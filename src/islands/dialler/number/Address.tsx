import { useStore } from '@nanostores/react'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
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
  /** Null until it is prepared; then whether it is open. */
  const [picker, setPicker] = useState<boolean | null>(null)
  const lazy = useLazyDialler(picker !== null)
  const prepare = () => setPicker(made => made ?? false)
  return (
    <div className="address">
      <div className={`to ${styles['to']}`}>
        <button
          type="button"
          className="pick"
          aria-haspopup="dialog"
          aria-label={texts.country({ name: country.name, code: country.dialCode })}
          // Prepared on hover, so that the click only has to show the list.
          onPointerEnter={prepare}
          onFocus={prepare}
          onPointerDown={prepare}
          onClick={() => setPicker(true)}
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
      {picker !== null && lazy && (
        <lazy.CountryPicker
          key={country.id}
          chosen={country}
          shown={picker}
          onClose={() => setPicker(null)}
        />
      )}
    </div>
  )
}
