import { CircleAlert, Printer } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useLate } from '../patience/use-late.ts'
import styles from './receipt.module.css'

export interface ReceiptPageProps {
  readonly shown: { readonly state: 'loading' | 'missing' | 'ready' } | { state: 'failed'; message: string }
  /** Where all of them are listed. */
  readonly list: { readonly href: string; readonly label: string }
  /** Said where the address names none of this user's. */
  readonly missing: string
  /** Ends when there is an answer. */
  readonly onRetry: () => Promise<void>
  /** The sheet, once it is known. */
  readonly children: ReactNode
}

/** What stands around a receipt: the way back and to the printer, and what is said while there is none. */
export function ReceiptPage({ onRetry, ...page }: ReceiptPageProps) {
  const region = useRef<HTMLDivElement>(null)
  /** The button that was pressed is gone: the focus goes to what came instead. */
  const retry = async () => {
    await onRetry()
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) region.current?.focus({ preventScroll: true })
    })
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

function Content({ shown, list, missing, onRetry, children }: ContentProps) {
  const noticed = useLate()
  switch (shown.state) {
    case 'loading':
      return (
        <p className="soft" role="status">
          {noticed && 'Loading the receipt…'}
        </p>
      )
    case 'missing':
      return (
        <div className={styles['instead']}>
          <h1>No such receipt</h1>
          <p className="soft">{missing}</p>
          <a className="btn primary" href={list.href}>
            {list.label}
          </a>
        </div>
      )
    case 'failed':
      return (
        <div className={styles['instead']} role="alert">
          <p className="note bad">
            <CircleAlert className="i" />
            {shown.message}
          </p>
          <button type="button" className="btn" onClick={onRetry}>
            Try again
          </button>
        </div>
      )
    case 'ready':
      return (
        <>
          <div className="inrow noprint">
            <p className="crumb">
              <a href={list.href}>{list.label}</a>
            </p>
            <button type="button" className="btn" onClick={() => window.print()}>
              <Printer className="i" aria-hidden="true" />
              Print
            </button>
          </div>
          {children}
        </>
      )
    default:
      return shown satisfies never
  }
}
