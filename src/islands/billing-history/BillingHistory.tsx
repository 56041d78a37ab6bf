import { useStore } from '@nanostores/react'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { BillingFilter } from '#lib/api/billing.ts'
import { localPath } from '#lib/i18n/path.ts'
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
import { texts } from './texts.ts'

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
      return <RowsWaiting label={texts.loading} />
    case 'failed':
      return (
        <div className={styles['failure']} role="alert">
          <p className="note bad">
            <CircleAlert className="i" />
            {billing.message}
          </p>
          <button type="button" className="btn" onClick={() => void openBilling().then(keepList)}>
            {texts.again}
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
              <p className={`soft ${styles['nothing']}`}>{nothingText(billing.show)}</p>
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
                {billing.more === 'loading' ? texts.loadingMore : texts.more}
              </button>
            )}
            <p role="status" className={billing.more === 'failed' ? 'small' : 'sr'}>
              {billing.more === 'failed' ? texts.moreFailed : texts.listed({ lines: billing.lines.length })}
            </p>
          </div>
        </>
      )
    default:
      return billing satisfies never
  }
}

function nothingText(show: BillingFilter): string {
  return { all: '', purchases: texts.noPurchases, calls: texts.noCalls, refunds: texts.noRefunds }[show]
}

/** The reason why the account may not call, such as a disputed payment. Renders nothing when there is none. */
function Restriction() {
  const user = useStore($user)
  if (user === null || user.can_call || user.blocked_reason == null) return null
  return (
    <p className={`note bad ${styles['restriction']}`}>
      <CircleAlert className="i" aria-hidden="true" />
      <span>{texts.restricted({ reason: user.blocked_reason })}</span>
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
        <h2>{texts.nothing}</h2>
        <p className="soft">{texts.nothingText}</p>
        <div className="go">
          <a className="btn primary" href={localPath('/buy-credits')}>
            {texts.buy}
          </a>
        </div>
      </div>
    </div>
  )
}
