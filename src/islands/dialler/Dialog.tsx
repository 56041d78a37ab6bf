import { type ReactNode, useId } from 'react'
import styles from './dialler.module.css'
import { CloseButton, Modal } from './Modal.tsx'

export interface DialogProps {
  readonly title: string
  /** Takes the whole width and most of the height of a small screen. */
  readonly tall?: boolean
  /** Nothing closes it. */
  readonly locked?: boolean
  /** False: it is only made ready. */
  readonly shown?: boolean
  readonly onClose: () => void
  /** Buttons at the foot, which stay in sight. */
  readonly footer?: ReactNode
  readonly children?: ReactNode
}

/** A modal with its title and a cross at the top. */
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
