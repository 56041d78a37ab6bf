import type { Country } from '#lib/rules/countries.ts'
import { CountrySearch } from '../country-search/CountrySearch.tsx'
import { Dialog } from './Dialog.tsx'

export interface CountryPickerProps {
  readonly chosen: Country
  readonly onChoose: (country: Country) => void
  readonly onClose: () => void
}

/** Chooses the country of the number. */
export function CountryPicker({ chosen, onChoose, onClose }: CountryPickerProps) {
  return (
    <Dialog title="Choose a country" tall onClose={onClose}>
      <CountrySearch chosen={chosen} onChoose={onChoose} />
    </Dialog>
  )
}
