import { useLate } from '#ui/use-late.ts'
import styles from './profile.module.css'

const rows = ['first', 'second']

/** Skeleton rows after a noticeable wait; their space is reserved. @param label what is loading, for screen readers */
export function RowsLoading({ label }: { readonly label: string }) {
  const noticed = useLate()
  return (
    <>
      <p className="sr" role="status">
        {noticed && label}
      </p>
      <ul className="rows" aria-hidden="true">
        {rows.map(row => (
          <li key={row} className="skel">
            {noticed && (
              <>
                <i className="c" />
                <div>
                  <i className={styles['first']} />
                  <i className={styles['second']} />
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
