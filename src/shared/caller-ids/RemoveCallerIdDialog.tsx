import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { showToast } from '#session/toasts.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { $formatNumber } from '../numbers/number-format.ts'
import styles from './caller-ids.module.css'
import { removeCallerId } from './caller-ids.ts'
import { texts } from './texts.ts'

export interface RemoveCallerIdDialogProps {
  /** E.164. */
  readonly number: string
  readonly onClose: () => void
}

/** Asks for confirmation, because adding the number again takes another call. */
export function RemoveCallerIdDialog({ number, onClose }: RemoveCallerIdDialogProps) {
  const { format } = useStore($formatNumber)
  const [failure, setFailure] = useState<string | null>(null)
  const { slow, run } = useBusy()

  const remove = async (): Promise<'done'> => {
    setFailure(null)
    if (await removeCallerId(number)) {
      showToast({ type: 'success', message: texts.removed })
      onClose()
    } else setFailure(texts.removeFailed)
    return 'done'
  }

  return (
    <Dialog
      title={texts.removeCallerId}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {texts.keep}
          </button>
          <button type="button" className="btn danger" onClick={() => run(remove)}>
            {slow ? texts.removing : texts.remove}
          </button>
        </>
      }
    >
      <div className={styles.step}>
        <p className="bignum num">
          <bdi dir="ltr">{format(number, '')}</bdi>
        </p>
        <p>{texts.aboutRemoval}</p>
      </div>
      <FormNote message={failure} />
    </Dialog>
  )
}
