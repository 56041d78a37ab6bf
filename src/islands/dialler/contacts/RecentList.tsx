import { useStore } from '@nanostores/react'
import { $freeCall } from '../call/free-call.ts'
import { ContactsWaiting } from './ContactsWaiting.tsx'
import { RecentRows } from './RecentRows.tsx'
import styles from './recents.module.css'
import { $recents, loadRecents, maxRecents } from './recents.ts'
import { texts } from './texts.ts'

/** The latest calls, or why there are none. The parent must subscribe to them (`followRecents`). */
export function RecentList({ onCall }: { readonly onCall?: () => void }) {
  const known = useStore($recents)
  switch (known.state) {
    case 'loading':
      return <ContactsWaiting label={texts.loadingRecents} />
    case 'failed':
      return (
        <div className={styles['failure']}>
          <p className="soft">{known.message}</p>
          <button type="button" className="btn small" onClick={() => void loadRecents()}>
            {texts.tryAgain}
          </button>
        </div>
      )
    case 'ready':
      return known.value.length === 0 ? (
        <NoCalls />
      ) : (
        <RecentRows calls={known.value.slice(0, maxRecents)} onCall={onCall} />
      )
    default:
      return known satisfies never
  }
}

function NoCalls() {
  // The account decides: records can be deleted, and another account of the person may have used the free call.
  const free = useStore($freeCall)
  return (
    <div className="blank">
      <svg className="i" viewBox="0 0 96 64" aria-hidden="true">
        <path d="M2 2h92v60H2zM12 14h24M12 22h18M44 40h38M44 48h30M72 10h14v16H72z" />
      </svg>
      <p>
        {texts.noCalls}
        <br />
        <span className="soft small">{free ? texts.firstIsFree : texts.listedHere}</span>
      </p>
    </div>
  )
}
