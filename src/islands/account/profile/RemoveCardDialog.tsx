import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { showToast } from '#session/toasts.ts'
import { $autoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { forgetCard } from './profile.ts'
import { texts } from './texts.ts'

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
      showToast({ type: 'success', message: texts.cardRemoved })
      onClose()
    } else setFailure(result.message)
    return 'done'
  }
  const about = on ? texts.aboutRemovalWithTopUp : texts.aboutRemoval
  return (
    <Dialog
      title={texts.removeCard}
      locked={working}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" disabled={working} onClick={onClose}>
            {texts.keepCard}
          </button>
          <button type="button" className="btn danger" onClick={() => run(remove)}>
            {slow ? texts.removing : texts.remove}
          </button>
        </>
      }
    >
      <p>{about({ card, b: text => <b key="b">{text}</b> })}</p>
      <FormNote message={failure} />
    </Dialog>
  )
}
