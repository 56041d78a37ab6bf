import { useStore } from '@nanostores/react'
import { CircleAlert, Copy, Printer } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { GiftRecord } from '#lib/api/gifts.ts'
import { redeemLink } from '#lib/money/gift-code.ts'
import { showToast } from '#session/toasts.ts'
import { PrintSheet } from './PrintSheet.tsx'
import { RefundGiftDialog } from './RefundGiftDialog.tsx'
import styles from './sent-gifts.module.css'
import { $justPaid, $sent, loadSent } from './sent-gifts.ts'
import { aboutText, dayOf, dollars, stateText } from './wording.ts'

/** The booklets that the user has sent. Renders nothing for visitors, and before the first one. */
export function SentGifts() {
  const sent = useStore($sent)
  const justPaid = useStore($justPaid)
  const [printed, setPrinted] = useState<GiftRecord | null>(null)
  const [refunding, setRefunding] = useState<GiftRecord | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const stopPrinting = useCallback(() => setPrinted(null), [])
  useEffect(() => {
    if (justPaid !== null) heading.current?.focus()
  }, [justPaid])

  if (sent.state === 'failed') {
    return (
      <section className={styles['sent']} role="alert">
        <p className="note bad">
          <CircleAlert className="i" />
          {sent.message}
        </p>
        <button type="button" className="btn" onClick={() => void loadSent()}>
          Show my booklets
        </button>
      </section>
    )
  }
  if (sent.state !== 'ready' || sent.gifts.length === 0) return null
  const arrived = sent.gifts.find(({ id }) => id === justPaid)
  return (
    <>
      <section className={`noprint ${styles['sent']}`} aria-labelledby="sent-heading">
        {arrived !== undefined && (
          <p className="note" role="status">
            {arrived.state === 'in_review'
              ? `Thank you. We need to review the payment before the booklet for ${arrived.toName} works.`
              : `Paid, thank you. Your booklet for ${arrived.toName} is ready below.`}
          </p>
        )}
        <h2 id="sent-heading" ref={heading} tabIndex={-1}>
          Booklets you sent
        </h2>
        <ul className="rows">
          {sent.gifts.map(gift => (
            <Row key={gift.id} gift={gift} onPrint={setPrinted} onRefund={setRefunding} />
          ))}
        </ul>
      </section>
      {printed !== null && <PrintSheet gift={printed} onDone={stopPrinting} />}
      {refunding !== null && <RefundGiftDialog gift={refunding} onClose={() => setRefunding(null)} />}
    </>
  )
}

interface RowProps {
  readonly gift: GiftRecord
  readonly onPrint: (gift: GiftRecord) => void
  readonly onRefund: (gift: GiftRecord) => void
}

function Row({ gift, onPrint, onRefund }: RowProps) {
  const { toName, amount, paidAt, code, state } = gift
  const name = toName === '' ? 'somebody' : toName
  const about = aboutText(gift)
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <b>
          For <bdi>{name}</bdi>, <span className="num">{dollars(amount)}</span>
        </b>
        <span className="small soft">
          {stateText(gift)} · sent on {dayOf(paidAt)}
        </span>
        {about !== '' && <span className="small soft">{about}</span>}
        {code !== null && <code className="num">{code}</code>}
      </div>
      <div className={styles['actions']}>
        {code !== null && (
          <>
            <button
              type="button"
              className="btn"
              aria-label={`Print the envelope for ${name}`}
              onClick={() => onPrint(gift)}
            >
              <Printer className="i" aria-hidden="true" />
              Print
            </button>
            <button
              type="button"
              className="btn"
              aria-label={`Copy link for ${name}`}
              onClick={() => void copyLink(code)}
            >
              <Copy className="i" aria-hidden="true" />
              Copy link
            </button>
          </>
        )}
        {(state === 'ready' || state === 'in_review' || state === 'on_hold') && (
          <button
            type="button"
            className="btn plain"
            aria-label={`Refund the booklet for ${name}`}
            onClick={() => onRefund(gift)}
          >
            Refund
          </button>
        )}
        <a
          className="btn plain"
          href={`/receipt?id=${gift.id}`}
          aria-label={`Receipt of the booklet for ${name}`}
        >
          Receipt
        </a>
      </div>
    </li>
  )
}

async function copyLink(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(redeemLink(window.location.origin, code.replaceAll('-', '')))
    showToast({ type: 'success', message: 'Link copied. Whoever opens it first can redeem the credits.' })
  } catch {
    showToast({ type: 'warning', message: "Your browser doesn't let us copy. Send the code instead." })
  }
}
