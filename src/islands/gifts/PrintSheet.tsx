import { useEffect } from 'react'
import type { GiftRecord } from '#lib/api/gifts.ts'
import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { Envelope } from './Envelope.tsx'
import styles from './print-sheet.module.css'
import { texts } from './texts.ts'
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
      <p className={styles['crease']}>{texts.fold}</p>
      <div className={styles['letter']}>
        <h2>{texts.sentYou({ name: fromName, who: text => <bdi key="who">{text}</bdi> })}</h2>
        {message !== '' && (
          <p className={styles['quote']}>
            <bdi>{message}</bdi>
          </p>
        )}
        <p>{texts.letter({ amount: dollars(amount), company: company.name })}</p>
        <ol>
          <li>
            {texts.stepOpen({
              address: `${host}${localPath('/redeem')}`,
              bold: label => (
                <b key="bold" dir="ltr">
                  {label}
                </b>
              ),
            })}
          </li>
          <li>{texts.stepCode}</li>
          <li>{texts.stepRedeem}</li>
        </ol>
        <p className={styles['code']}>
          <span>{texts.code}</span>
          <b className="num" dir="ltr">
            {code}
          </b>
        </p>
      </div>
    </div>
  )
}
