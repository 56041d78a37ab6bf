import { useStore } from '@nanostores/react'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isBackwards, isFiltering, writeCallFilter } from '#lib/calls/call-filter.ts'
import { loadUser } from '#session/user.ts'
import { followContacts } from '#shared/contacts.ts'
import { loadNumberFormat } from '#shared/numbers/number-format.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { RowsWaiting } from '#ui/RowsWaiting.tsx'
import { CallList } from './CallList.tsx'
import styles from './call-history.module.css'
import { FilterFields } from './FilterFields.tsx'
import { $filter, $history, followAddress, isFiltered, openHistory, showCalls } from './history.ts'
import { NoCalls } from './NoCalls.tsx'
import { Sums } from './Sums.tsx'
import { texts } from './texts.ts'

export function CallHistory() {
  const history = useStore($history)
  const filter = useStore($filter)
  const region = useRef<HTMLDivElement>(null)
  // The pressed button may have been removed: then the list gets the focus, not the page's start.
  const keepList = () => keepFocus(region)
  useEffect(followContacts, [])
  useEffect(followPage, [])

  // Once shown, the filter fields stay: the user may be in one of them when the list fails to load.
  const [filtered, setFiltered] = useState(false)
  const ready = history.state === 'ready'
  if (!filtered && (ready || isFiltering(filter))) setFiltered(true)

  const nobody = ready && history.calls.length === 0 && !isFiltered(history)
  if (nobody && !isFiltering(filter)) return <NoCalls />
  return (
    <>
      {ready && <Sums />}
      {filtered && <FilterFields />}
      <FoundStatus />
      <div ref={region} tabIndex={-1} className={styles['region']}>
        {history.state === 'loading' && <RowsWaiting label={texts.loading} />}
        {history.state === 'failed' && (
          <div className={styles['failure']} role="alert">
            <p className="note bad">
              <CircleAlert className="i" />
              {history.message}
            </p>
            <button type="button" className="btn" onClick={() => void showCalls().then(keepList)}>
              {texts.tryAgain}
            </button>
          </div>
        )}
        {ready &&
          (history.calls.length === 0 ? <NothingFound /> : <CallList history={history} onShown={keepList} />)}
      </div>
    </>
  )
}

/** Speaks once per search; silent while it loads, and for calls that arrive by themselves. */
export function FoundStatus() {
  const history = useStore($history)
  const filter = useStore($filter)
  const answered =
    history.state === 'ready' &&
    history.asked &&
    history.more === 'idle' &&
    writeCallFilter(history.filter) === writeCallFilter(filter)
  return (
    <p className="sr" role="status">
      {answered && foundText(history.calls.length, history.nextCursor === null, isFiltering(history.filter))}
    </p>
  )
}

function foundText(count: number, complete: boolean, filtered: boolean): string {
  if (count === 0) return texts.nothingFound
  return filtered && complete ? texts.found({ count }) : texts.listed({ count })
}

function NothingFound() {
  const filter = useStore($filter)
  return (
    <div className={styles['nothing']}>
      <h2>{texts.nothingFound}</h2>
      <p className="soft">{isBackwards(filter) ? texts.daysReversed : texts.tryOthers}</p>
    </div>
  )
}

/** Loads the calls that the URL's filter asks for, and reloads when the URL changes or a call ends. */
function followPage(): () => void {
  const leaving = new AbortController()
  const { signal } = leaving
  void openHistory()
  void loadUser()
  loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  import('./history-live.ts').then(
    ({ followHistory }) => {
      if (!signal.aborted) signal.addEventListener('abort', followHistory())
    },
    // Only live updates are missing, so the list stays usable.
    (error: unknown) => console.error('What follows calls did not load.', error),
  )
  window.addEventListener('popstate', () => void followAddress(), { signal })
  // The page may come from the back/forward cache without the latest calls.
  const refreshStale = (event: PageTransitionEvent) => {
    if (event.persisted) void openHistory()
  }
  window.addEventListener('pageshow', refreshStale, { signal })
  return () => leaving.abort()
}
