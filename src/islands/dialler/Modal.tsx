import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './dialler.module.css'

export interface ModalProps {
  /** The id of its heading. */
  readonly labelledBy: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A native modal dialog, open as long as it is rendered. Escape, its close button and the backdrop close it. */
export function Modal({ labelledBy, className = '', onClose, children }: ModalProps) {
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
      className={`dlg ${styles['dialog']} ${className}`}
      aria-labelledby={labelledBy}
      onClose={onClose}
    >
      {children}
    </dialog>
  )
}

/** The cross in the corner of the modal that it stands in. */
export function CloseButton() {
  return (
    <button
      type="button"
      className="tap"
      aria-label="Close"
      onClick={event => event.currentTarget.closest('dialog')?.close()}
    >
      <X className="i" aria-hidden="true" />
    </button>
  )
}
