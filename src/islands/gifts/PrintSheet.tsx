import { useEffect } from 'react'
import type { GiftRecord } from '#lib/api/gifts.ts'
import { company } from '#lib/company.ts'
import { Envelope } from './Envelope.tsx'
import styles from './print-sheet.module.css'
import { dollars } from './wording.ts'

/** One A4 sheet, to fold once: the envelope's front above, the letter below. Only on paper. */
export function PrintSheet({ gift, onDone }: { readonly gift: GiftRecord; readonly onDone: () => void }) {
  useEffect(() => {
    window.addEventListener('afterprint', onDone, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', onDone)
  }, [onDone])

  const { toName, fromName, message, amount, code } = gift
  const { host } = window.location
  return (
    <div className={styles['sheet']} data-print-sheet="">
      <Envelope toName={toName} fromName={fromName} message="" usd={amount} />
      <p className={styles['crease']}>Fold here</p>
      <div className={styles['letter']}>
        <h2>
          <bdi>{fromName}</bdi> sent you a line
        </h2>
        {message !== '' && (
          <p className={styles['quote']}>
            <bdi>{message}</bdi>
          </p>
        )}
        <p>
          {dollars(amount)} of {company.name} credits are yours. With them you can call any phone, abroad or
          at home, from the browser of a computer or phone. They never expire.
        </p>
        <ol>
          <li>
            Open <b>{host}/redeem</b> in a browser.
          </li>
          <li>Enter this code, and sign up with your e-mail address.</li>
          <li>Press Redeem, then call.</li>
        </ol>
        <p className={styles['code']}>
          <span>Your code</span>
          <b className="num">{code}</b>
        </p>
      </div>
    </div>
  )
}
