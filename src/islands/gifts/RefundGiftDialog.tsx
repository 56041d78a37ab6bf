import { useState } from 'react'
import type { GiftRecord } from '#lib/api/gifts.ts'
import { showToast } from '#session/toasts.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { refundGift } from './sent-gifts.ts'
import { texts } from './texts.ts'
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
      showToast({ type: 'success', message: texts.refundDone({ amount: figure }) })
      onClose()
    }
    return 'done'
  }
  return (
    <Dialog
      title={texts.refundFor({ name: gift.toName || texts.somebody })}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {texts.keep}
          </button>
          <button type="button" className="btn primary" onClick={() => run(refund)}>
            {slow ? texts.refundWorking : texts.refundAmount({ amount: figure })}
          </button>
        </>
      }
    >
      <p>{texts.refundTerms({ amount: figure })}</p>
      <FormNote message={failure} />
    </Dialog>
  )
}
