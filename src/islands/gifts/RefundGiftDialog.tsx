import { useState } from 'react'
import type { GiftRecord } from '#lib/api/gifts.ts'
import { showToast } from '#session/toasts.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { refundGift } from './sent-gifts.ts'
import { dollars } from './wording.ts'

export interface RefundGiftDialogProps {
  readonly gift: GiftRecord
  readonly onClose: () => void
}

export function RefundGiftDialog({ gift, onClose }: RefundGiftDialogProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const { slow, run } = useBusy()
  const figure = dollars(gift.amount)
  const refund = async (): Promise<'done'> => {
    const refused = await refundGift(gift)
    setFailure(refused)
    if (refused === null) {
      showToast({ type: 'success', message: `${figure} is on its way back to your card.` })
      onClose()
    }
    return 'done'
  }
  return (
    <Dialog
      title={`Refund the booklet for ${gift.toName || 'somebody'}`}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep it
          </button>
          <button type="button" className="btn primary" onClick={() => run(refund)}>
            {slow ? 'Refunding…' : `Refund ${figure}`}
          </button>
        </>
      }
    >
      <p>
        {figure} goes back to the card you paid with, and the code stops working at once. Your bank may need a
        few days to show the money.
      </p>
      <FormNote message={failure} />
    </Dialog>
  )
}
