import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { showToast } from '#session/toasts.ts'
import { $autoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { forgetCard } from './profile.ts'

export interface RemoveCardDialogProps {
  /** Display text: `Visa ending 4242`. */
  readonly card: string
  readonly onClose: () => void
}

/** Confirms removing the saved card. Only another purchase can save it again. */
export function RemoveCardDialog({ card, onClose }: RemoveCardDialogProps) {
  const on = useStore($autoTopUp)
  const [failure, setFailure] = useState<string | null>(null)
  /** True from the press on. The removal cannot be cancelled, so the dialog offers no way out. */
  const [working, setWorking] = useState(false)
  const { slow, run } = useBusy()
  const remove = async (): Promise<'done'> => {
    setFailure(null)
    setWorking(true)
    const result = await forgetCard()
    setWorking(false)
    if (result.ok) {
      showToast({ type: 'success', message: 'Card removed' })
      onClose()
    } else setFailure(result.message)
    return 'done'
  }
  return (
    <Dialog
      title="Remove card"
      locked={working}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" disabled={working} onClick={onClose}>
            Keep it
          </button>
          <button type="button" className="btn danger" onClick={() => run(remove)}>
            {slow ? 'Removing…' : 'Remove'}
          </button>
        </>
      }
    >
      <p>
        We and our payment provider will forget <b>{card}</b>. {on && 'Auto top-up will stop. '}Your credits
        stay.
      </p>
      <FormNote message={failure} />
    </Dialog>
  )
}
