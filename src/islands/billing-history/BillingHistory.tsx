import { useStore } from '@nanostores/react'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { BillingFilter } from '#lib/api/billing.ts'
import { formatCount } from '#lib/count.ts'
import { $user, loadUser } from '#session/user.ts'
import { followContacts } from '#shared/contacts.ts'
import { loadNumberFormat } from '#shared/numbers/number-format.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { RowsWaiting } from '#ui/RowsWaiting.tsx'
import { BillingFilters } from './BillingFilters.tsx'
import { BillingTable } from './BillingTable.tsx'
import { $billing, openBilling, showMore } from './billing.ts'
import styles from './billing-history.module.css'
import { Sums } from './Sums.tsx'

export function BillingHistory() {
  const billing = useStore($billing)
  const region = useRef<HTMLDivElement>(null)
  // The pressed button may have been removed: then the list gets the focus, not the page's start.
  const keepList = () => keepFocus(region)
  useEffect(followContacts, [])
  useEffect(() => {
    void openBilling()
    void loadUser()
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
    // The page may come from the back/forward cache with an old balance.
    const refreshStale = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      void openBilling()
      void loadUser()
    }
    window.addEventListener('pageshow', refreshStale)
    return () => window.removeEventListener('pageshow', refreshStale)
  }, [])

  switch (billing.state) {
    case 'loading':
      return <RowsWaiting label="Loading billing history" />
    case 'failed':
      return (
        <div className={styles['failure']} role="alert">
          <p className="note bad">
            <CircleAlert className="i" />
            {billing.message}
          </p>
          <button type="button" className="btn" onClick={() => void openBilling().then(keepList)}>
            Try again
          </button>
        </div>
      )
    case 'ready':
      if (billing.lines.length === 0 && billing.show === 'all') {
        return (
          <>
            <Restriction />
            <NoTransfers />
          </>
        )
      }
      return (
        <>
          <Restriction />
          <div ref={region} tabIndex={-1} className={styles['region']}>
            <Sums lines={billing.lines} show={billing.show} complete={billing.nextCursor === null} />
            <BillingFilters />
            {billing.lines.length === 0 ? (
              <p className={`soft ${styles['nothing']}`}>{nothingText[billing.show]}</p>
            ) : (
              <BillingTable lines={billing.lines} onRefunded={keepList} />
            )}
          </div>
          <div className={styles['more']}>
            {billing.nextCursor !== null && (
              <button
                type="button"
                className="btn"
                aria-disabled={billing.more === 'loading' || undefined}
                onClick={() => void showMore().then(keepList)}
              >
                {billing.more === 'loading' ? 'Loading…' : 'Show more'}
              </button>
            )}
            <p role="status" className={billing.more === 'failed' ? 'small' : 'sr'}>
              {billing.more === 'failed'
                ? "We couldn't load older entries. Please try again."
                : `${formatCount(billing.lines.length)} ${billing.lines.length === 1 ? 'line' : 'lines'} listed`}
            </p>
          </div>
        </>
      )
    default:
      return billing satisfies never
  }
}

const nothingText: Readonly<Record<BillingFilter, string>> = {
  all: '',
  purchases: 'No purchases yet. Buy credits, and the receipt is listed here.',
  calls: 'No charged calls yet. Each call will be listed here, with its receipt.',
  refunds: 'No refunds. Unused credits are refundable for 7 days: press Refund next to a purchase.',
}

/** The reason why the account may not call, such as a disputed payment. Renders nothing when there is none. */
function Restriction() {
  const user = useStore($user)
  if (user === null || user.can_call || user.blocked_reason == null) return null
  return (
    <p className={`note bad ${styles['restriction']}`}>
      <CircleAlert className="i" aria-hidden="true" />
      <span>You can't make calls for now. {user.blocked_reason}</span>
    </p>
  )
}

function NoTransfers() {
  return (
    <div className="none">
      <div className="stamp" aria-hidden="true">
        <div className="plate k">
          <img src="/art/pillar.svg" alt="" width="200" height="200" />
        </div>
      </div>
      <div>
        <h2>No payments yet</h2>
        <p className="soft">Your purchases, calls and refunds will be listed here, each with its receipt.</p>
        <div className="go">
          <a className="btn primary" href="/buy-credits">
            Buy Credits
          </a>
        </div>
      </div>
    </div>
  )
}
