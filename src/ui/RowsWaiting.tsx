import styles from './rows-waiting.module.css'
import { useLate } from './use-late.ts'

const rows = [styles.w9, styles.w11, styles.w6, styles.w10, styles.w8, styles.w7]

/** Skeleton rows, shown after a noticeable wait. @param label what is loading, for screen readers */
export function RowsWaiting({ label }: { readonly label: string }) {
  const noticed = useLate()
  return (
    <>
      <p className="sr" role="status">
        {noticed && label}
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
