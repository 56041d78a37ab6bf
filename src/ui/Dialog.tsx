import { type ReactNode, useId } from 'react'
import styles from './dialog.module.css'
import { CloseButton, Modal } from './Modal.tsx'

export interface DialogProps {
  readonly title: string
  /** On a small screen: full width and most of the height. */
  readonly tall?: boolean
  /** Cannot be closed. */
  readonly locked?: boolean
  /** False: only prepared. */
  readonly shown?: boolean
  readonly onClose: () => void
  /** Buttons at the bottom, always visible. */
  readonly footer?: ReactNode
  readonly children?: ReactNode
}

export function Dialog({ title, tall = false, locked, shown, onClose, footer, children }: DialogProps) {
  const titleId = useId()
  return (
    <Modal
      labelledBy={titleId}
      className={tall ? `tall ${styles['tall']}` : ''}
      locked={locked}
      shown={shown}
      onClose={onClose}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <CloseButton locked={locked} />
      </header>
      <div className="in">{children}</div>
      {footer !== undefined && <footer>{footer}</footer>}
    </Modal>
  )
}
