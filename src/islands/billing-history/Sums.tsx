import { useStore } from '@nanostores/react'
import { Download } from 'lucide-react'
import type { TransferRecord } from '#lib/api/transfers.ts'
import { formatBalance, usdToMicroUsd } from '#lib/rules/money.ts'
import { loadCsv } from '#stores/billing.ts'
import { showToast } from '#stores/toasts.ts'
import { $user } from '#stores/user.ts'
import { useBusy } from '../submit-button/useBusy.ts'
import styles from './billing-history.module.css'
import { dayOf, totalsOf } from './wording.ts'

export interface SumsProps {
  readonly transfers: readonly TransferRecord[]
  /** Whether there are no older lines than these. */
  readonly complete: boolean
}

const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))

/** The balance, what was bought in all where every line is listed, and all of it as a file. */
export function Sums({ transfers, complete }: SumsProps) {
  const user = useStore($user)
  const totals = totalsOf(transfers, complete)
  return (
    <div className="sums">
      <p>
        <b className="num">{user === null ? '–' : dollars(user.credits)}</b>
        <span>balance</span>
      </p>
      {totals !== null && (
        <>
          <p>
            <b className="num">{dollars(totals.bought)}</b>
            <span>bought since {dayOf(totals.since)}</span>
          </p>
          <p>
            <b className="num">{dollars(totals.bonus)}</b>
            <span>bonus credits</span>
          </p>
        </>
      )}
      <DownloadCsv />
    </div>
  )
}

function DownloadCsv() {
  const { slow, run } = useBusy()
  const download = async (): Promise<'done'> => {
    const csv = await loadCsv()
    if (csv.ok) save(csv.value)
    else showToast({ type: 'error', message: csv.message })
    return 'done'
  }
  return (
    <button type="button" className={`btn ${styles['download']}`} onClick={() => run(download)}>
      <Download className="i" aria-hidden="true" />
      {slow ? 'Preparing…' : 'Everything as CSV'}
    </button>
  )
}

function save(csv: string): void {
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'billing-history.csv'
  link.click()
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address))
}
