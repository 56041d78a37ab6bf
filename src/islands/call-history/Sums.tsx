import { useStore } from '@nanostores/react'
import { Download } from 'lucide-react'
import { formatBalance, formatCharge, usdToMicroUsd } from '#lib/rules/money.ts'
import { $filter } from '#stores/history.ts'
import { $historyTotals } from '#stores/history-totals.ts'
import { showToast } from '#stores/toasts.ts'
import { $user } from '#stores/user.ts'

import { useBusy } from '../submit-button/useBusy.ts'
import styles from './call-history.module.css'
import { saveCsv } from './save-csv.ts'

const monthFormat = new Intl.DateTimeFormat('en', { month: 'long' })

/** This month's time and cost, or those of the calls that were found, the balance, and the calls as a file. */
export function Sums() {
  const user = useStore($user)
  const known = useStore($historyTotals)
  return (
    <div className="sums">
      {known.of === 'filter' && (
        <Sum figure={String(known.totals.calls)}>
          {known.totals.calls === 1 ? 'call found' : 'calls found'}
        </Sum>
      )}
      {known.of === 'filter' && <Sum figure={`${known.totals.minutesCharged} min`}>charged</Sum>}
      {known.of === 'month' && (
        <Sum figure={`${known.totals.minutes} min`}>in {monthFormat.format(known.month)}</Sum>
      )}
      {known.of !== 'nothing' && <Sum figure={formatCharge(usdToMicroUsd(known.totals.spent))}>spent</Sum>}
      <Sum figure={user === null ? '–' : formatBalance(usdToMicroUsd(user.credits))}>balance</Sum>
      <DownloadCsv />
    </div>
  )
}

function Sum({ figure, children }: { readonly figure: string; readonly children: React.ReactNode }) {
  return (
    <p>
      <b className="num">{figure}</b>
      <span>{children}</span>
    </p>
  )
}

function DownloadCsv() {
  const { slow, run } = useBusy()
  const download = async (): Promise<'done'> => {
    const { loadCallsCsv } = await import('#stores/history-csv.ts')
    const csv = await loadCallsCsv($filter.get())
    if (csv.ok) saveCsv('call-history.csv', csv.value)
    else showToast({ type: 'error', message: csv.message })
    return 'done'
  }
  return (
    <button type="button" className={`btn ${styles['download']}`} onClick={() => run(download)}>
      <Download className="i" aria-hidden="true" />
      {slow ? 'Preparing…' : 'These calls as CSV'}
    </button>
  )
}
