import { useEffect, useState } from 'react'
import { formatBalance, formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { showToast } from '#session/toasts.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { askRefund, askRefundOffer, type RefundOffer } from './billing.ts'
import styles from './billing-history.module.css'
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
        ? `We're refunding ${figure}. You'll get an e-mail once it's done.`
        : `${figure} is on its way back to your card.`
    showToast({ type: 'success', message })
    onClose()
    return 'done'
  }

  return (
    <Dialog
      title="Refund this payment"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep my credits
          </button>
          {offer !== null && (
            <button type="button" className="btn primary" onClick={() => run(refund)}>
              {slow ? 'Refunding…' : `Refund ${figure}`}
            </button>
          )}
        </>
      }
    >
      {offer === null ? (
        <p role="status" className="soft">
          {failure === null && "Checking what you haven't used…"}
        </p>
      ) : (
        <div className={styles['offer']}>
          <p className={`num ${styles['amount']}`}>{figure}</p>
          {offer.gift ? (
            <p>
              goes back to the card you paid with. The booklet's code stops working at once. Your balance
              stays as it is.
            </p>
          ) : (
            <p>
              goes back to the card you paid with. It's the unused part of this payment. Your balance goes
              down by {formatCharge(usdToMicroUsd(offer.credits))}
              {offer.credits > offer.amount && ', because its bonus goes with it'}. Calls use the credits you
              bought first. Other credits we gave you stay.
            </p>
          )}
          <p className="small soft">
            You can get one refund per payment
            {offer.until !== null && `, until ${dayOf(new Date(offer.until))}`}. Your bank may take a few days
            to show it.
          </p>
        </div>
      )}
      <FormNote message={failure} />
    </Dialog>
  )
}
