import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './dialler.module.css'

export interface ModalProps {
  /** The id of its heading. */
  readonly labelledBy: string
  readonly className?: string
  /** While what was asked for is under way and nothing can stop it: the dialog must not seem to. */
  readonly locked?: boolean | undefined
  /** False: it stands in the page and is not open yet. */
  readonly shown?: boolean | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A native modal dialog, open as long as it is rendered and `shown`. Escape, its close button and the backdrop close it unless `locked`. */
export function Modal({ labelledBy, className = '', locked, shown = true, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  // Closed before it is taken away, so that the focus returns to where it came from.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null || !shown) return
    const listening = new AbortController()
    const { signal } = listening
    // A selection that begins inside and ends outside clicks the backdrop, too.
    let begunOutside = false
    const begin = (event: PointerEvent) => {
      begunOutside = event.target === element
    }
    const closeOnBackdrop = (event: MouseEvent) => {
      if (event.target === element && begunOutside && !element.matches('[closedby=none]')) element.close()
    }
    element.addEventListener('pointerdown', begin, { signal })
    element.addEventListener('click', closeOnBackdrop, { signal })
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

/** The cross in the corner of the modal that it stands in. */
export function CloseButton({ locked }: { readonly locked?: boolean | undefined }) {
  return (
    <button
      type="button"
      className="tap"
      aria-label="Close"
      disabled={locked}
      onClick={event => event.currentTarget.closest('dialog')?.close()}
    >
      <X className="i" aria-hidden="true" />
    </button>
  )
}
