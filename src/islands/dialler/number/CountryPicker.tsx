import type { Country } from '#lib/numbers/countries.ts'
import { CountrySearch } from '#ui/CountrySearch.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { chooseCountry } from './dial.ts'
import { entryTexts } from './entry-texts.ts'

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
    <Dialog title={entryTexts.chooseCountry} tall shown={shown} onClose={onClose}>
      <CountrySearch chosen={chosen} shown={shown} onChoose={choose} />
    </Dialog>
  )
}
