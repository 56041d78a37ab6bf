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
  const [picker, setPicker] = useState<'away' | 'ready' | 'open'>('away')
  const around = useAroundPhone(picker !== 'away')
  const close = () => setPicker('away')
  return (
    <div className="address">
      <div className="to">
        <button
          type="button"
          className="pick"
          aria-haspopup="dialog"
          aria-label={`Country: ${country.name} ${country.dialCode}`}
          // The finger is still down while the list is made: the click has only to show it.
          onPointerDown={() => setPicker('ready')}
          onClick={() => setPicker('open')}
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
      {picker !== 'away' && around && (
        <around.CountryPicker
          key={country.id}
          shown={picker === 'open'}
          chosen={country}
          onChoose={chosen => {
            close()
            chooseCountry(chosen)
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
