import { CircleAlert, Printer } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { Resource } from '#session/private-resource.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { ReceiptLoading } from './ReceiptLoading.tsx'
import styles from './receipt.module.css'

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
        <h1>No such receipt</h1>
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
            Try again
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
              Print
            </button>
          </div>
          {shown.state === 'loading' ? <ReceiptLoading title={title} /> : children}
        </>
      )
    default:
      return shown satisfies never
  }
}
