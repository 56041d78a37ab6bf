import { useLate } from '#ui/use-late.ts'
import styles from './referrals.module.css'

/** A skeleton of the link, shown only after a noticeable wait. */
export function Waiting() {
  const noticed = useLate()
  return (
    <div className={`field ${styles.link}`}>
      <p className="sr" role="status">
        {noticed && 'Loading your link'}
      </p>
      <div className={`skel ${styles.waiting}`} aria-hidden="true">
        {noticed && (
          <>
            <i className={styles.label} />
            <i className={styles.line} />
          </>
        )}
      </div>
    </div>
  )
}
