import { useStore } from '@nanostores/react'
import { RefreshCw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { $updateOffered, followApp, putOffUpdate, takeUpdate } from '#stores/app-update.ts'
import styles from './app.module.css'

/** Longer than it takes a reader to notice a region in which it is to read what comes. */
const regionFirstMs = 100

/** Says that there is a new version, where toasts stand; nothing is reloaded without a press. */
export function UpdatePrompt() {
  const offered = useStore($updateOffered)
  const [stack, setStack] = useState<Element | null>(null)
  const [shown, setShown] = useState(false)

  useEffect(() => void followApp(), [])
  // The toasts' place is another island's, and must be as it was served until that one has begun.
  useEffect(() => {
    if (!offered) return setShown(false)
    setStack(document.querySelector('astro-island:not([ssr]) > .toasts') ?? document.body)
    const timer = setTimeout(() => setShown(true), regionFirstMs)
    return () => clearTimeout(timer)
  }, [offered])

  if (stack === null) return null
  return createPortal(
    <div className={styles['region']} role="status">
      {shown && (
        <div className="toast info">
          <RefreshCw className="i" aria-hidden="true" />
          <span>A new version of Farline is ready.</span>
          <button type="button" className="btn primary" onClick={() => void takeUpdate()}>
            Reload
          </button>
          <button type="button" className="tap" aria-label="Later" onClick={putOffUpdate}>
            <X className="i" aria-hidden="true" />
          </button>
        </div>
      )}
    </div>,
    stack,
  )
}
