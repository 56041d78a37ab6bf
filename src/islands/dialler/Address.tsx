import { useStore } from '@nanostores/react'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { $country } from '#stores/dial.ts'
import { Flag } from '../flag/Flag.tsx'
import { CallFrom } from './CallFrom.tsx'
import { NumberField } from './NumberField.tsx'
import { RateLine } from './RateLine.tsx'
import { useAroundPhone } from './use-around-phone.ts'

/** Who the call goes to, and what it costs. */
export function Address() {
  const country = useStore($country)
  /** Whether it is open; null while there is none. */
  const [picker, setPicker] = useState<boolean | null>(null)
  const around = useAroundPhone(picker !== null)
  return (
    <div className="address">
      <div className="to">
        <button
          type="button"
          className="pick"
          aria-haspopup="dialog"
          aria-label={`Country: ${country.name} ${country.dialCode}`}
          // The finger is still down while the list is made: the click has only to show it.
          onPointerDown={() => setPicker(false)}
          onClick={() => setPicker(true)}
        >
          <Flag isoCode={country.isoCode} emoji={country.emoji} size={24} />
          <span>
            {country.name} <span className="num">{country.dialCode}</span>
          </span>
          <ChevronDown className="i" aria-hidden="true" />
        </button>
      </div>
      <NumberField />
      <RateLine />
      <CallFrom />
      {picker !== null && around && (
        <around.CountryPicker
          key={country.id}
          chosen={country}
          shown={picker}
          onClose={() => setPicker(null)}
        />
      )}
    </div>
  )
}
