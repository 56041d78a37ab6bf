import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { showToast } from '#session/toasts.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { $formatNumber } from '../numbers/number-format.ts'
import styles from './caller-ids.module.css'
import { removeCallerId } from './caller-ids.ts'

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
      showToast({ type: 'success', message: 'Caller ID removed' })
      onClose()
    } else setFailure('Failed to remove this caller ID. Please try again.')
    return 'done'
  }

  return (
    <Dialog
      title="Remove Caller ID"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep it
          </button>
          <button type="button" className="btn danger" onClick={() => run(remove)}>
            {slow ? 'Removing…' : 'Remove'}
          </button>
        </>
      }
    >
      <div className={styles.step}>
        <p className="bignum num">{format(number, '')}</p>
        <p>
          Your calls will show our public number instead. To show this one again, you'll have to verify it
          again.
        </p>
      </div>
      <FormNote message={failure} />
    </Dialog>
  )
}
