import { type KeyboardEvent, type ReactNode, useState } from 'react'
import styles from './contacts.module.css'

interface Tab {
  readonly id: string
  readonly title: string
  readonly panel: ReactNode
}

export interface TabsProps {
  readonly label: string
  /** The id of the first tab to show. */
  readonly opened: string
  readonly tabs: readonly Tab[]
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Views of one dialog, one at a time. One tab is in the tab order; arrow keys show the others. */
export function Tabs({ label, opened, tabs }: TabsProps) {
  const [shown, setShown] = useState(opened)

  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const towards = steps[event.key]
    if (towards === undefined) return
    event.preventDefault()
    const step = document.dir === 'rtl' ? -towards : towards
    const at = tabs.findIndex(({ id }) => id === shown)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    setShown(next.id)
    document.getElementById(`tab-${next.id}`)?.focus()
  }

  return (
    <>
      <div className="segs" role="tablist" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === shown}
            aria-controls={id === shown ? `panel-${id}` : undefined}
            tabIndex={id === shown ? 0 : -1}
            onClick={() => setShown(id)}
            onKeyDown={move}
          >
            {title}
          </button>
        ))}
      </div>
      {tabs
        .filter(({ id }) => id === shown)
        .map(({ id, panel }) => (
          <div
            key={id}
            id={`panel-${id}`}
            className={styles.panel}
            role="tabpanel"
            aria-labelledby={`tab-${id}`}
          >
            {panel}
          </div>
        ))}
    </>
  )
}
