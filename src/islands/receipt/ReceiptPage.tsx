import { CircleAlert, Printer } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { Resource } from '#session/private-resource.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { useLate } from '#ui/use-late.ts'
import { Head } from './Head.tsx'
import styles from './receipt.module.css'
import { texts } from './texts.ts'

export interface ReceiptPageProps {
  /** The heading until the receipt provides its own. */
  readonly title: string
  /** A null value if the URL names no receipt of this user. */
  readonly shown: Resource<unknown>
  /** The page that lists all receipts of this kind. */
  readonly list: { readonly href: string; readonly label: string }
  /** Message when the URL names no receipt of this user. */
  readonly missing: string
  /** Resolves when the server has answered. */
  readonly onRetry: () => Promise<void>
  readonly children: ReactNode
}

/** The frame of a receipt: navigation and print button, and messages while there is no receipt. */
export function ReceiptPage({ onRetry, ...page }: ReceiptPageProps) {
  const region = useRef<HTMLDivElement>(null)
  /** The pressed button disappears, so move the focus to the new content. */
  const retry = async () => {
    await onRetry()
    keepFocus(region)
  }
  return (
    <div ref={region} tabIndex={-1} className={styles['region']}>
      <Content {...page} onRetry={() => void retry()} />
    </div>
  )
}

interface ContentProps extends Omit<ReceiptPageProps, 'onRetry'> {
  readonly onRetry: () => void
}

function Content({ title, shown, list, missing, onRetry, children }: ContentProps) {
  if (shown.state === 'ready' && shown.value === null) {
    return (
      <div className={styles['instead']}>
        <h1>{texts.noSuchReceipt}</h1>
        <p className="soft">{missing}</p>
        <a className="btn primary" href={list.href}>
          {list.label}
        </a>
      </div>
    )
  }
  switch (shown.state) {
    case 'failed':
      return (
        <div className={styles['instead']}>
          <h1>{title}</h1>
          <p className="note bad" role="alert">
            <CircleAlert className="i" />
            {shown.message}
          </p>
          <button type="button" className="btn" onClick={onRetry}>
            {texts.tryAgain}
          </button>
        </div>
      )
    case 'loading':
    case 'ready':
      return (
        <>
          <div className="inrow noprint">
            <p className="crumb">
              <a href={list.href}>{list.label}</a>
            </p>
            <button
              type="button"
              className={`btn ${styles['print']}`}
              disabled={shown.state === 'loading'}
              onClick={() => window.print()}
            >
              <Printer className="i" aria-hidden="true" />
              {texts.print}
            </button>
          </div>
          {shown.state === 'loading' ? <ReceiptLoading title={title} /> : children}
        </>
      )
    default:
      return shown satisfies never
  }
}

/** As rendered at build time. Head and heading have their final places; the lines appear after a noticeable wait. */
function ReceiptLoading({ title }: { readonly title: string }) {
  const noticed = useLate()
  return (
    <article className="paper1">
      <Head vatNumber={null}>
        {/* Space for the postmark. */}
        <svg className="postmark" viewBox="0 0 196 100" aria-hidden="true" />
      </Head>
      <h1 className={styles['title']}>{title}</h1>
      <p className="sr" role="status">
        {noticed && texts.loading}
      </p>
      <div className={`skel ${styles['waiting']}`} aria-hidden="true">
        {noticed && [0, 1, 2, 3].map(line => <i key={line} />)}
      </div>
    </article>
  )
}
