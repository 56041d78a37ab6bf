import type { OpsBrowser } from '#lib/api/ops.ts'
import styles from './ops.module.css'
import { ScrollTable } from './ScrollTable.tsx'
import { browserName, rateText, setUpText, valueText, versionsText } from './wording.ts'

const columns: readonly { readonly label: string; readonly of: (row: OpsBrowser) => string | null }[] = [
  { label: 'Calls', of: ({ calls }) => valueText(calls, 'count') },
  { label: 'Answer rate', of: ({ answered, calls }) => rateText(answered, calls) },
  { label: 'Set-up, median', of: row => setUpText(row, 'median') },
  { label: 'Set-up, 90%', of: row => setUpText(row, 'ninetieth') },
  { label: 'No sound', of: ({ silent, measured }) => rateText(silent, measured) },
  { label: 'Dropped', of: ({ dropped, answered }) => rateText(dropped, answered) },
]

export function Browsers({ browsers }: { readonly browsers: readonly OpsBrowser[] }) {
  return (
    <section aria-labelledby="by-browser" className={styles['browsers']}>
      <h2 id="by-browser">By browser</h2>
      {browsers.length === 0 ? (
        <p className="soft">No call from a known browser has ended in this period.</p>
      ) : (
        <>
          <p className="soft small">
            Every browser on iOS is WebKit. No sound: of the calls that the page measured. Dropped: of the
            answered calls, those that lost their connection. Rates are of at least 20 calls.
          </p>
          <ScrollTable label="Calls by browser" columns={['Browser', ...columns.map(({ label }) => label)]}>
            {browsers.map(row => (
              <Row key={browserName(row)} row={row} />
            ))}
          </ScrollTable>
        </>
      )}
    </section>
  )
}

function Row({ row }: { readonly row: OpsBrowser }) {
  const versions = versionsText(row)
  return (
    <tr>
      <th scope="row">
        {browserName(row)}
        {versions !== null && <small className="num">Version {versions}</small>}
      </th>
      {columns.map(({ label, of }) => {
        const text = of(row)
        return (
          <td key={label} data-label={label} className={text === null ? 'soft' : 'num'}>
            {text ?? 'too few'}
          </td>
        )
      })}
    </tr>
  )
}
