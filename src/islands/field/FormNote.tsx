import { CircleAlert } from 'lucide-react'
import styles from './field.module.css'

export interface FormNoteProps {
  readonly message: string | null
  /** Seconds until it may be tried again: counted down on the screen, not read out each time. */
  readonly waitSeconds?: number
}

function inWords(seconds: number): string {
  if (seconds >= 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

/** What went wrong with the form as a whole. The region is there before its message, so that it is announced. */
export function FormNote({ message, waitSeconds = 0 }: FormNoteProps) {
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
      {message !== null && waitSeconds > 0 && <p className="small soft num">{inWords(waitSeconds)} left.</p>}
    </>
  )
}
