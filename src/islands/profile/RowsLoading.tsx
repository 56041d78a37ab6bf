import { useLate } from '../patience/use-late.ts'
import styles from './profile.module.css'

const rows = ['first', 'second']

/**
 * Keeps the place of a list, and shows its lines once the wait is long enough to be noticed.
 * @param label what is being loaded, for whoever does not see them
 */
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
