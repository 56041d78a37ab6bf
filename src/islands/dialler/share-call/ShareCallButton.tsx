import { Share2 } from 'lucide-react'
import { type ComponentType, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { ShareCallDialogProps } from './ShareCallDialog.tsx'
import styles from './share-call.module.css'
import type { SharedCall } from './share-call.ts'

/** Opens the card of a call that can be shared. */
export function ShareCallButton(call: SharedCall) {
  const [Dialog, setDialog] = useState<ComponentType<ShareCallDialogProps> | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const open = async () => {
    const { ShareCallDialog } = await import('./ShareCallDialog.tsx')
    setDialog(() => ShareCallDialog)
  }
  const close = () => {
    flushSync(() => setDialog(null))
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['open']}
        aria-haspopup="dialog"
        onClick={() => void open()}
      >
        <Share2 className="i" aria-hidden="true" />
        Share this call
      </button>
      {Dialog !== null && createPortal(<Dialog call={call} onClose={close} />, document.body)}
    </>
  )
}
