import { Check } from 'lucide-react'
import styles from './profile.module.css'

/** What became of a press, in words and announced. The region is there before its message. */
export function Outcome({ message }: { readonly message: string | null }) {
  return (
    <p role="status" className={styles['outcome']}>
      {message !== null && (
        <>
          <Check className="i" aria-hidden="true" />
          {message}
        </>
      )}
    </p>
  )
}
