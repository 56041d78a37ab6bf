import type { OpsInterval, OpsSpan } from '#lib/api/ops.ts'
import styles from './ops.module.css'
import { ScrollTable } from './ScrollTable.tsx'
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
      <ScrollTable
        label={`${unit} by ${unit.toLowerCase()}`}
        columns={[unit, ...listed.map(({ label }) => label)]}
      >
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
      </ScrollTable>
    </details>
  )
}
