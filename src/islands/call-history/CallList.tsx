import { CallTable } from './CallTable.tsx'
import styles from './call-history.module.css'
import { type History, loadMore } from './history.ts'
import { texts } from './texts.ts'

export interface CallListProps {
  readonly history: Extract<History, { readonly state: 'ready' }>
  /** Older calls were loaded, and their button may have been removed. */
  readonly onShown: () => void
}

export function CallList({ history, onShown }: CallListProps) {
  const { calls, nextCursor, more } = history
  return (
    <>
      <CallTable calls={calls} />
      <div className={styles['more']}>
        {nextCursor !== null && (
          <button
            type="button"
            className="btn"
            aria-disabled={more === 'loading' || undefined}
            onClick={() => void loadMore().then(onShown)}
          >
            {more === 'loading' ? texts.loadingMore : texts.loadMore}
          </button>
        )}
        <p role="status" className="small">
          {more === 'failed' && texts.moreFailed}
        </p>
      </div>
    </>
  )
}
