import { useLate } from '#ui/use-late.ts'
import styles from './contacts.module.css'
import { texts } from './texts.ts'

const rows = [1, 2, 3, 4, 5, 6]

export function ContactsWaiting({ label = texts.loading }: { readonly label?: string }) {
  const noticed = useLate()
  return (
    <>
      <p className="sr" role="status">
        {noticed && label}
      </p>
      {noticed && (
        <ul className="rows" aria-hidden="true">
          {rows.map(row => (
            <li key={row} className="skel">
              <i className="c" />
              <div>
                <i className={styles.name} />
                <i className={styles.number} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
