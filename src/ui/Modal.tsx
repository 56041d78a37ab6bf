import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './dialog.module.css'
import { texts } from './dialog-texts.ts'

export interface ModalProps {
  /** The id of its heading. */
  readonly labelledBy: string
  readonly className?: string
  /** Set while a request cannot be cancelled: closing must not look like cancelling. */
  readonly locked?: boolean | undefined
  /** False: rendered but not open yet. */
  readonly shown?: boolean | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A native modal dialog. Escape, its close button and the backdrop close it unless `locked`. */
export function Modal({ labelledBy, className = '', locked, shown = true, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [prepared] = useState(!shown)

  // Close before unmounting, so that the focus returns.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null || !shown) return
    const listening = new AbortController()
    const { signal } = listening
    // A text selection that ends outside also clicks the backdrop.
    let begunOutside = false
    const begin = (event: PointerEvent) => {
      begunOutside = event.target === element
    }
    const closeOnBackdrop = (event: MouseEvent) => {
      if (event.target === element && begunOutside && !element.matches('[closedby=none]')) element.close()
    }
    element.addEventListener('pointerdown', begin, { signal })
    element.addEventListener('click', closeOnBackdrop, { signal })
    // By hand, so that it is gone when the browser closes the dialog, before React knows.
    element.removeAttribute('data-prepared')
    element.showModal()
    return () => {
      listening.abort()
      element.close()
    }
  }, [shown])

  return (
    <dialog
      ref={dialog}
      className={`dlg ${styles['dialog']} ${className}`}
      data-prepared={prepared || undefined}
      aria-labelledby={labelledBy}
      closedby={locked ? 'none' : undefined}
      // For browsers without `closedby`.
      onCancel={event => locked && event.preventDefault()}
      onClose={onClose}
    >
      {children}
    </dialog>
  )
}

export function CloseButton({ locked }: { readonly locked?: boolean | undefined }) {
  return (
    <button
      type="button"
      className="tap"
      aria-label={texts.close}
      disabled={locked}
      onClick={event => event.currentTarget.closest('dialog')?.close()}
    >
      <X className="i" aria-hidden="true" />
    </button>
  )
}
