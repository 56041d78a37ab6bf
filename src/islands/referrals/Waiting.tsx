import { useLate } from '../patience/use-late.ts'
import styles from './referrals.module.css'

/** The place of the link, once the wait is long enough to be noticed. */
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
