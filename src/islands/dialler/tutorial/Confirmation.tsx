import { useStore } from '@nanostores/react'
import type { Country } from '#lib/numbers/countries.ts'
import { Flag } from '#ui/Flag.tsx'
import styles from './tutorial.module.css'
import { wizard } from './wizard.ts'

/** Repeats the number, country and flag, and says what Done does. */
export function Confirmation({ country }: { readonly country: Country }) {
  const fullNumber = useStore(wizard.$fullNumber)
  return (
    <>
      <div className={styles['confirmation']}>
        <Flag isoCode={country.isoCode} emoji={country.emoji} size={64} />
        <p className="bignum num">{fullNumber}</p>
        <p>{country.name}</p>
      </div>
      <p>Press Done and your number will be waiting in the dialler. Then press the green call button.</p>
    </>
  )
}
