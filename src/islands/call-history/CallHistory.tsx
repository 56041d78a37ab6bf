import { useStore } from '@nanostores/react'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { followContacts } from '#stores/contacts.ts'
import { $history, loadMore, openHistory } from '#stores/history.ts'
import { loadNumberFormat } from '#stores/number-format.ts'
import { loadUser } from '#stores/user.ts'
import { RowsWaiting } from '../patience/RowsWaiting.tsx'
import { CallTable } from './CallTable.tsx'
import styles from './call-history.module.css'
import { NoCalls } from './NoCalls.tsx'
import { Sums } from './Sums.tsx'

/** The signed-in user's calls: what each was, and what it cost and why. */
export function CallHistory() {
  const history = useStore($history)
  const region = useRef<HTMLDivElement>(null)
  // The button that was pressed may be gone: the focus goes to the calls then, instead of the page's start.
  const keepFocus = () =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) region.current?.focus({ preventScroll: true })
    })
  useEffect(followContacts, [])
  useEffect(() => {
    void openHistory()
    void loadUser()
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
    // Back from another page, the browser may bring this one from its memory: there may be new calls.
    const refreshStale = (event: PageTransitionEvent) => {
      if (event.persisted) void openHistory()
    }
    window.addEventListener('pageshow', refreshStale)
    return () => window.removeEventListener('pageshow', refreshStale)
  }, [])

  switch (history.state) {
    case 'loading':
      return <RowsWaiting label="Loading call history" />
    case 'failed':
      return (
        <div className={styles.failure} role="alert">
          <p className="note bad">
            <CircleAlert className="i" />
            {history.message}
          </p>
          <button type="button" className="btn" onClick={() => void openHistory().then(keepFocus)}>
            Try again
          </button>
        </div>
      )
    case 'ready':
      if (history.calls.length === 0) return <NoCalls />
      return (
        <>
          <div ref={region} tabIndex={-1} className={styles.region}>
            <Sums calls={history.calls} complete={history.nextCursor === null} />
            <CallTable calls={history.calls} />
          </div>
          <div className={styles.more}>
            {history.nextCursor !== null && (
              <button
                type="button"
                className="btn"
                aria-disabled={history.more === 'loading' || undefined}
                onClick={() => void loadMore().then(keepFocus)}
              >
                {history.more === 'loading' ? 'Loading…' : 'Load more'}
              </button>
            )}
            <p role="status" className={history.more === 'failed' ? 'small' : 'sr'}>
              {history.more === 'failed'
                ? 'The older calls could not be loaded. Please try again.'
                : `${history.calls.length} ${history.calls.length === 1 ? 'call' : 'calls'} listed`}
            </p>
          </div>
        </>
      )
    default:
      return history satisfies never
  }
}
