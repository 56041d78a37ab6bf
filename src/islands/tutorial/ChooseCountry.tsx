import type { Country } from '#lib/rules/countries.ts'
import { wizard } from '#stores/wizard.ts'
import { CountrySearch } from '../country-search/CountrySearch.tsx'
import styles from './tutorial.module.css'

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
