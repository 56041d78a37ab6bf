import { CircleAlert } from 'lucide-react'
import styles from './field.module.css'
import { waitText } from './wait-text.ts'

export interface FormNoteProps {
  readonly message: string | null
  /** Seconds until it may be tried again: counted down on the screen, not read out each time. */
  readonly waitSeconds?: number
  /** Read out to somebody who pressed while it cannot be tried again; the screen counts. */
  readonly reminder?: string
}

/** What went wrong with the form as a whole. The region is there before its message, so that it is announced. */
export function FormNote({ message, waitSeconds = 0, reminder }: FormNoteProps) {
  return (
    <>
      <div role="alert" className={styles['alert']}>
        {message !== null && (
          <p className="note bad">
            <CircleAlert className="i" />
            {message}
          </p>
        )}
      </div>
      {message !== null && waitSeconds > 0 && <p className="small soft num">{waitText(waitSeconds)} left.</p>}
      {reminder !== undefined && (
        <p role="status" className="sr">
          {reminder}
        </p>
      )}
    </>
  )
}
