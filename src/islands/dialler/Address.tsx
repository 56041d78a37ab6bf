import { useStore } from '@nanostores/react'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { $country, chooseCountry } from '#stores/dial.ts'
import { Flag } from '../flag/Flag.tsx'
import { CallFrom } from './CallFrom.tsx'
import { NumberField } from './NumberField.tsx'
import { RateLine } from './RateLine.tsx'
import { useAroundPhone } from './use-around-phone.ts'

/** Who the call goes to, and what it costs. */
export function Address() {
  const country = useStore($country)
  const [picking, setPicking] = useState(false)
  const around = useAroundPhone(picking)
  return (
    <div className="address">
      <div className="to">
        <button
          type="button"
          className="pick"
          aria-haspopup="dialog"
          aria-label={`Country: ${country.name} ${country.dialCode}`}
          onClick={() => setPicking(true)}
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
      {picking && around && (
        <around.CountryPicker
          chosen={country}
          onChoose={chosen => {
            chooseCountry(chosen)
            setPicking(false)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}
