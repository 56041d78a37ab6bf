import { CircleAlert } from 'lucide-react'
import styles from './field.module.css'
import { leftText } from './wait-text.ts'

export interface FormNoteProps {
  readonly message: string | null
  /** Seconds until a retry is allowed. Counted down on screen, not read out each second. */
  readonly waitSeconds?: number
  /** Read out after a press that came too early. */
  readonly reminder?: string
}

/** An error of the whole form. The live region exists before its message, so that the message is announced. */
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
      {message !== null && waitSeconds > 0 && <p className="small soft num">{leftText(waitSeconds)}</p>}
      {reminder !== undefined && (
        <p role="status" className="sr">
          {reminder}
        </p>
      )}
    </>
  )
}
