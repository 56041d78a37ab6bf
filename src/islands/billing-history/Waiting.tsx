import { useLate } from '../patience/use-late.ts'
import styles from './billing-history.module.css'

const rows = [styles.w9, styles.w11, styles.w6, styles.w10, styles.w8, styles.w7]

/** The ruled lines of an empty form, once the wait is long enough to be noticed. */
export function Waiting() {
  const noticed = useLate()
  return (
    <>
      <p className="sr" role="status">
        {noticed && 'Loading billing history'}
      </p>
      {noticed && (
        <div aria-hidden="true">
          <div className="sums">
            {[0, 1, 2].map(sum => (
              <p key={sum} className="skel">
                <i className={styles.figure} />
                <i className={styles.w4} />
              </p>
            ))}
          </div>
          <ul className="rows skelsheet">
            {rows.map(width => (
              <li key={width} className="skel">
                <i className="c" />
                <div>
                  <i className={width} />
                  <i className={styles.w6} />
                </div>
                <i className={styles.w4} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
