import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './dialler.module.css'

export interface DialogProps {
  readonly title: string
  /** Takes the whole width and most of the height of a small screen. */
  readonly tall?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A native modal dialog, open as long as it is rendered. Escape, the cross and the backdrop close it. */
export function Dialog({ title, tall = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  // Closed before it is taken away, so that the focus returns to where it came from.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    const listening = new AbortController()
    const { signal } = listening
    // A selection that begins inside and ends outside clicks the backdrop, too.
    let begunOutside = false
    const begin = (event: PointerEvent) => {
      begunOutside = event.target === element
    }
    const closeOnBackdrop = (event: MouseEvent) => {
      if (event.target === element && begunOutside) element.close()
    }
    element.addEventListener('pointerdown', begin, { signal })
    element.addEventListener('click', closeOnBackdrop, { signal })
    element.showModal()
    return () => {
      listening.abort()
      element.close()
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      className={`dlg ${styles['dialog']} ${tall ? `tall ${styles['tall']}` : ''}`}
      aria-labelledby="dialog-title"
      onClose={onClose}
    >
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" className="tap" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      <div className="in">{children}</div>
    </dialog>
  )
}
