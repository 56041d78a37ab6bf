import { useEffect, useState } from 'react'
import { formatBalance, formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { showToast } from '#session/toasts.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { askRefund, askRefundOffer, type RefundOffer } from './billing.ts'
import styles from './billing-history.module.css'
import { refundTexts } from './refund-texts.ts'
import { dayOf } from './wording.ts'

export interface RefundDialogProps {
  readonly paymentId: string
  readonly onClose: () => void
}

export function RefundDialog({ paymentId, onClose }: RefundDialogProps) {
  const [offer, setOffer] = useState<RefundOffer | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { slow, run } = useBusy()

  useEffect(() => {
    let gone = false
    void askRefundOffer(paymentId).then(asked => {
      if (gone) return
      if (asked.ok) setOffer(asked.value)
      else setFailure(asked.message)
    })
    return () => {
      gone = true
    }
  }, [paymentId])

  const figure = offer === null ? '' : formatBalance(usdToMicroUsd(offer.amount))
  const refund = async (): Promise<'done'> => {
    if (offer === null) return 'done'
    setFailure(null)
    const asked = await askRefund(paymentId, offer.amount)
    if (!asked.ok) {
      // Reload: the balance may have changed since the first offer.
      const anew = await askRefundOffer(paymentId)
      setOffer(anew.ok ? anew.value : null)
      setFailure(asked.message)
      return 'done'
    }
    const message =
      asked.value.state === 'pending'
        ? refundTexts.pending({ amount: figure })
        : refundTexts.done({ amount: figure })
    showToast({ type: 'success', message })
    onClose()
    return 'done'
  }

  return (
    <Dialog
      title={refundTexts.title}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {refundTexts.keep}
          </button>
          {offer !== null && (
            <button type="button" className="btn primary" onClick={() => run(refund)}>
              {slow ? refundTexts.working : refundTexts.refund({ amount: figure })}
            </button>
          )}
        </>
      }
    >
      {offer === null ? (
        <p role="status" className="soft">
          {failure === null && refundTexts.checking}
        </p>
      ) : (
        <div className={styles['offer']}>
          <p className={`num ${styles['amount']}`}>{figure}</p>
          <p>{offer.gift ? refundTexts.gift : termsOf(offer)}</p>
          <p className="small soft">
            {offer.until === null
              ? refundTexts.once
              : refundTexts.onceUntil({ day: dayOf(new Date(offer.until)) })}
          </p>
        </div>
      )}
      <FormNote message={failure} />
    </Dialog>
  )
}

function termsOf({ amount, credits }: RefundOffer): string {
  const values = { credits: formatCharge(usdToMicroUsd(credits)) }
  return credits > amount ? refundTexts.termsWithBonus(values) : refundTexts.terms(values)
}
