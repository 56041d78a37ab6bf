import type { Country } from '#lib/rules/countries.ts'
import { chooseCountry } from '#stores/dial.ts'
import { CountrySearch } from '../country-search/CountrySearch.tsx'
import { Dialog } from './Dialog.tsx'

export interface CountryPickerProps {
  readonly chosen: Country
  /** False: prepared but invisible. */
  readonly shown: boolean
  readonly onClose: () => void
}

export function CountryPicker({ chosen, shown, onClose }: CountryPickerProps) {
  const choose = (country: Country) => {
    onClose()
    chooseCountry(country)
  }
  return (
    <Dialog title="Choose a country" tall shown={shown} onClose={onClose}>
      <CountrySearch chosen={chosen} shown={shown} onChoose={choose} />
    </Dialog>
  )
}
