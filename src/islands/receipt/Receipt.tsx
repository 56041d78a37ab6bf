import { useStore } from '@nanostores/react'
import { CircleAlert, Printer } from 'lucide-react'
import { useEffect } from 'react'
import { company } from '#lib/company.ts'
import { $receipt, openReceipt } from '#stores/receipt.ts'
import { useLate } from '../patience/use-late.ts'
import { Paper } from './Paper.tsx'
import styles from './receipt.module.css'

/** The receipt that the address names, ready to print. */
export function Receipt() {
  const shown = useStore($receipt)
  const noticed = useLate()
  useEffect(() => {
    void openReceipt()
  }, [])
  const number = shown.state === 'ready' ? shown.receipt.number : null
  // A print is named by the page's title.
  useEffect(() => {
    if (number !== null) document.title = `Receipt ${number} · ${company.name}`
  }, [number])

  switch (shown.state) {
    case 'loading':
      return (
        <p className="soft" role="status">
          {noticed && 'Loading the receipt…'}
        </p>
      )
    case 'missing':
      return (
        <div className={styles['instead']}>
          <h1>No such receipt</h1>
          <p className="soft">
            There is no receipt of yours at this address. All of them are in your billing history.
          </p>
          <a className="btn primary" href="/billing-history">
            Billing history
          </a>
        </div>
      )
    case 'failed':
      return (
        <div className={styles['instead']} role="alert">
          <p className="note bad">
            <CircleAlert className="i" />
            {shown.message}
          </p>
          <button type="button" className="btn" onClick={() => void openReceipt()}>
            Try again
          </button>
        </div>
      )
    case 'ready':
      return (
        <>
          <div className="inrow noprint">
            <p className="crumb">
              <a href="/billing-history">Billing history</a>
            </p>
            <button type="button" className="btn" onClick={() => window.print()}>
              <Printer className="i" aria-hidden="true" />
              Print
            </button>
          </div>
          <Paper receipt={shown.receipt} />
        </>
      )
    default:
      return shown satisfies never
  }
}
