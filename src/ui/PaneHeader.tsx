import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './pane-header.module.css'

export interface PaneHeaderProps {
  /** The other side's, as the call shows it. */
  readonly name: string
  /** Beside the name, such as the time in the call. */
  readonly aside?: ReactNode
  readonly closeLabel: string
  readonly onClose: () => void
}

/** The head of what lies over a call's figures: who is called, and a way back. */
export function PaneHeader({ name, aside, closeLabel, onClose }: PaneHeaderProps) {
  return (
    <header className={styles['head']}>
      <p>
        <bdi>{name}</bdi>
      </p>
      {aside}
      <button type="button" className="tap" aria-label={closeLabel} onClick={onClose}>
        <X className="i" aria-hidden="true" />
      </button>
    </header>
  )
}
