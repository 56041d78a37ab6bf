import type { ReactNode } from 'react'
import styles from './ops.module.css'

interface ScrollTableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly children: ReactNode
}

/** A table that may be wider than the page. @param children its rows */
export function ScrollTable({ label, columns, children }: ScrollTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page can be scrolled with the keyboard.
    <section className={styles['table']} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
