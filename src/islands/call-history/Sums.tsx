import { useStore } from '@nanostores/react'
import { formatCount } from '#lib/count.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { formatBalance, formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { $user } from '#session/user.ts'
import { CsvButton } from '#shared/csv-download/CsvButton.tsx'
import { shownFilter } from './history.ts'
import { $historyTotals } from './history-totals.ts'
import { texts } from './texts.ts'

const monthFormat = dateFormat({ month: 'long' })

/** Total time and cost of this month, or of the filtered calls; the balance; the CSV download. */
export function Sums() {
  const user = useStore($user)
  const known = useStore($historyTotals)
  return (
    <div className="sums">
      {known.of === 'filter' && (
        <Sum figure={formatCount(known.totals.calls)}>{texts.callsFound({ count: known.totals.calls })}</Sum>
      )}
      {known.of === 'filter' && (
        <Sum figure={texts.minutes({ count: known.totals.minutesCharged })}>{texts.charged}</Sum>
      )}
      {known.of === 'month' && (
        <Sum figure={texts.minutes({ count: known.totals.minutes })}>
          {texts.inMonth({ month: monthFormat(known.month) })}
        </Sum>
      )}
      {known.of !== 'nothing' && (
        <Sum figure={formatCharge(usdToMicroUsd(known.totals.spent))}>
          {spentLabel(known.totals.refunded)}
        </Sum>
      )}
      <Sum figure={user === null ? '–' : formatBalance(usdToMicroUsd(user.credits))}>{texts.balance}</Sum>
      <DownloadCsv />
    </div>
  )
}

/** What came back is not in the sum, so the sum says so. @param refunded USD */
function spentLabel(refunded: number): string {
  return refunded === 0
    ? texts.spent
    : texts.spentAfterRefund({ amount: formatCharge(usdToMicroUsd(refunded)) })
}

function Sum({ figure, children }: { readonly figure: string; readonly children: React.ReactNode }) {
  return (
    <p>
      <b className="num">{figure}</b>
      <span>{children}</span>
    </p>
  )
}

/** Includes calls not loaded yet. Uses the applied filter, not text still being typed. */
function DownloadCsv() {
  const load = async () => {
    const { loadCallsCsv } = await import('./history-csv.ts')
    return loadCallsCsv(shownFilter())
  }
  return <CsvButton label={texts.download} name="call-history.csv" load={load} />
}
