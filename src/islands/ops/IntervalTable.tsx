import type { OpsInterval, OpsSpan } from '#lib/api/ops.ts'
import styles from './ops.module.css'
import { columns, valueText } from './wording.ts'

const moment = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const listed = Object.values(columns)

interface IntervalTableProps {
  readonly intervals: readonly OpsInterval[]
  readonly span: OpsSpan
}

/** The plots' data per hour or per minute, newest first. */
export function IntervalTable({ intervals, span }: IntervalTableProps) {
  const unit = span === 'hour' ? 'Minute' : 'Hour'
  return (
    <details className={styles['more']}>
      <summary>The same as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page can be scrolled with the keyboard. */}
      <section className={styles['table']} aria-label={`${unit} by ${unit.toLowerCase()}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              {listed.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {intervals.toReversed().map(interval => (
              <tr key={interval.at}>
                <th scope="row" className="num">
                  <time dateTime={interval.at}>{moment.format(new Date(interval.at))}</time>
                </th>
                {listed.map(({ label, unit, of }) => {
                  const value = of(interval)
                  return (
                    <td key={label} className="num">
                      {value === null ? '–' : valueText(value, unit)}
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
