import { useStore } from '@nanostores/react'
import { CircleAlert, Copy, Printer } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { GiftRecord } from '#lib/api/gifts.ts'
import { localPath } from '#lib/i18n/path.ts'
import { redeemLink } from '#lib/money/gift-code.ts'
import { showToast } from '#session/toasts.ts'
import { PrintSheet } from './PrintSheet.tsx'
import { RefundGiftDialog } from './RefundGiftDialog.tsx'
import styles from './sent-gifts.module.css'
import { $justPaid, $sent, loadSent } from './sent-gifts.ts'
import { texts } from './texts.ts'
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
          {texts.showAgain}
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
              ? texts.arrivedInReview({ name: arrived.toName })
              : texts.arrived({ name: arrived.toName })}
          </p>
        )}
        <h2 id="sent-heading" ref={heading} tabIndex={-1}>
          {texts.sent}
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
  const name = toName === '' ? texts.somebody : toName
  const about = aboutText(gift)
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <b>
          {texts.forName({
            name,
            amount: dollars(amount),
            who: text => <bdi key="who">{text}</bdi>,
            figure: text => (
              <span key="figure" className="num">
                {text}
              </span>
            ),
          })}
        </b>
        <span className="small soft">{texts.sentOn({ state: stateText(gift), day: dayOf(paidAt) })}</span>
        {about !== '' && <span className="small soft">{about}</span>}
        {code !== null && (
          <code className="num" dir="ltr">
            {code}
          </code>
        )}
      </div>
      <div className={styles['actions']}>
        {code !== null && (
          <>
            <button
              type="button"
              className="btn"
              aria-label={texts.printFor({ name })}
              onClick={() => onPrint(gift)}
            >
              <Printer className="i" aria-hidden="true" />
              {texts.print}
            </button>
            <button
              type="button"
              className="btn"
              aria-label={texts.copyLinkFor({ name })}
              onClick={() => void copyLink(code)}
            >
              <Copy className="i" aria-hidden="true" />
              {texts.copyLink}
            </button>
          </>
        )}
        {(state === 'ready' || state === 'in_review' || state === 'on_hold') && (
          <button
            type="button"
            className="btn plain"
            aria-label={texts.refundFor({ name })}
            onClick={() => onRefund(gift)}
          >
            {texts.refund}
          </button>
        )}
        <a
          className="btn plain"
          href={localPath(`/receipt?id=${gift.id}`)}
          aria-label={texts.receiptFor({ name })}
        >
          {texts.receipt}
        </a>
      </div>
    </li>
  )
}

async function copyLink(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(redeemLink(window.location.origin, code.replaceAll('-', '')))
    showToast({ type: 'success', message: texts.copied })
  } catch {
    showToast({ type: 'warning', message: texts.notCopied })
  }
}
