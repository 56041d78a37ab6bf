import { CircleAlert } from 'lucide-react'
import styles from './profile.module.css'
import { texts } from './texts.ts'

export function Missed({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
  return (
    <div className={styles['missed']} role="alert">
      <p className="note bad">
        <CircleAlert className="i" aria-hidden="true" />
        {message}
      </p>
      <button type="button" className="btn" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  )
}
