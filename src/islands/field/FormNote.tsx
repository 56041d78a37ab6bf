import { CircleAlert } from 'lucide-react'
import styles from './field.module.css'

/** What went wrong with the form as a whole. The region is there before its message, so that it is announced. */
export function FormNote({ message }: { readonly message: string | null }) {
  return (
    <div role="alert" className={styles.alert}>
      {message !== null && (
        <p className="note bad">
          <CircleAlert className="i" />
          {message}
        </p>
      )}
    </div>
  )
}
