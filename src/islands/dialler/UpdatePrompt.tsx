import { useStore } from '@nanostores/react'
import { RefreshCw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { $updateOffered, applyUpdate, followApp, putOffUpdate } from './app-update.ts'
import { aroundTexts } from './around-texts.ts'
import styles from './update-prompt.module.css'

/** Delay before the text appears: screen readers announce a change only in a live region they already know. */
const regionFirstMs = 100

/** Announces a new version, next to the toasts. The page reloads only on request. */
export function UpdatePrompt() {
  const offered = useStore($updateOffered)
  const [stack, setStack] = useState<Element | null>(null)
  const [shown, setShown] = useState(false)

  useEffect(() => void followApp(), [])
  // Hydration must match the server's HTML, and the toast container belongs to another island.
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
          <span>{aroundTexts.newVersion}</span>
          <button type="button" className="btn primary" onClick={() => void applyUpdate()}>
            {aroundTexts.reload}
          </button>
          <button type="button" className="tap" aria-label={aroundTexts.later} onClick={putOffUpdate}>
            <X className="i" aria-hidden="true" />
          </button>
        </div>
      )}
    </div>,
    stack,
  )
}
