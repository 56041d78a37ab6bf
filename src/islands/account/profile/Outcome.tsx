import { Check } from 'lucide-react'
import styles from './profile.module.css'

/** The result of an action. The live region exists before its message, so that the message is announced. */
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
