import type { OpsHour } from '#lib/api/ops.ts'
import styles from './ops.module.css'
import { columns, inWords } from './wording.ts'

const moment = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const listed = Object.values(columns)

/** What the plots show, hour by hour, the latest first. */
export function HourTable({ hours }: { readonly hours: readonly OpsHour[] }) {
  return (
    <details className={styles['more']}>
      <summary>The same as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page can be scrolled with the keyboard. */}
      <section className={styles['table']} aria-label="Hour by hour" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Hour</th>
              {listed.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.toReversed().map(hour => (
              <tr key={hour.at}>
                <th scope="row" className="num">
                  <time dateTime={hour.at}>{moment.format(new Date(hour.at))}</time>
                </th>
                {listed.map(({ label, unit, of }) => {
                  const value = of(hour)
                  return (
                    <td key={label} className="num">
                      {value === null ? '–' : inWords(value, unit)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
