import { CircleAlert } from 'lucide-react'
import styles from './profile.module.css'

export interface MissedProps {
  readonly message: string
  readonly onRetry: () => void
}

export function Missed({ message, onRetry }: MissedProps) {
  return (
    <div className={styles['missed']} role="alert">
      <p className="note bad">
        <CircleAlert className="i" aria-hidden="true" />
        {message}
      </p>
      <button type="button" className="btn" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}
