import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { shareButtonId } from './ShareCallButton.tsx'
import type { ShareCallDialogProps } from './ShareCallDialog.tsx'
import { $sharedCall, closeCard } from './share-call.ts'

/** The card of a call, while it is open. */
export function ShareCall() {
  const call = useStore($sharedCall)
  const [Dialog, setDialog] = useState<ComponentType<ShareCallDialogProps> | null>(null)
  const isOpen = call !== null
  useEffect(() => {
    if (!isOpen) return
    import('./ShareCallDialog.tsx').then(
      ({ ShareCallDialog }) => setDialog(() => ShareCallDialog),
      // The page handles a chunk that does not load (SPEC-2.19).
      (error: unknown) => console.error('The card did not load.', error),
    )
  }, [isOpen])
  const close = () => {
    flushSync(closeCard)
    document.getElementById(shareButtonId)?.focus()
  }
  return call !== null && Dialog !== null && <Dialog call={call} onClose={close} />
}
