import type { Country } from '#lib/numbers/countries.ts'
import { CountrySearch } from '#ui/CountrySearch.tsx'
import styles from './tutorial.module.css'
import { wizard } from './wizard.ts'

export function ChooseCountry({ chosen }: { readonly chosen: Country }) {
  return (
    <>
      <CountrySearch chosen={chosen} onChoose={wizard.chooseCountry} className={styles['countries'] ?? ''} />
      <p className="small" role="status">
        <span className="soft">Selected:</span>{' '}
        <b>
          <span aria-hidden="true">{chosen.emoji}</span> {chosen.name} {chosen.dialCode}
        </b>
      </p>
    </>
  )
}
