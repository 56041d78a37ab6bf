import { useStore } from '@nanostores/react'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import {
  $toasts,
  dismissToast,
  holdToasts,
  releaseToasts,
  showCarriedToast,
  type Toast,
} from '#stores/toasts.ts'
import styles from './toasts.module.css'

const looks = {
  success: { className: 'toast', Icon: CircleCheck },
  info: { className: 'toast info', Icon: Info },
  warning: { className: 'toast warn', Icon: TriangleAlert },
  error: { className: 'toast bad', Icon: CircleAlert },
} as const

function isUrgent(toast: Toast): boolean {
  return toast.type === 'warning' || toast.type === 'error'
}

function ToastStrip({ toast }: { readonly toast: Toast }) {
  const { className, Icon } = looks[toast.type]
  return (
    <div className={className}>
      <Icon className="i" />
      <span>{toast.message}</span>
      <button type="button" className="tap" aria-label="Dismiss" onClick={() => dismissToast(toast.id)}>
        <X className="i" />
      </button>
    </div>
  )
}

function isAttended(element: HTMLElement): boolean {
  return element.matches(':hover') || element.contains(document.activeElement)
}

/** Stops the clocks while somebody points at the element or has the focus in it. */
function holdWhileAttended(element: HTMLElement): () => void {
  const listening = new AbortController()
  const listen = (type: string, react: (event: Event) => void) =>
    element.addEventListener(type, react, { signal: listening.signal })
  listen('pointerenter', holdToasts)
  listen('focusin', holdToasts)
  listen('pointerleave', () => {
    if (!element.contains(document.activeElement)) releaseToasts()
  })
  listen('focusout', () => {
    // Only after this event does the document know where the focus went.
    setTimeout(() => {
      if (!isAttended(element)) releaseToasts()
    })
  })
  return () => listening.abort()
}

/**
 * The page's messages. Both regions are on the page before any message, so that each is announced: trouble
 * at once, the rest when there is a pause. Pointing at them or focusing one stops their clocks.
 */
export function Toasts() {
  const toasts = useStore($toasts, { ssr: 'initial' })
  const stack = useRef<HTMLDivElement>(null)
  useEffect(showCarriedToast, [])
  useEffect(() => (stack.current === null ? undefined : holdWhileAttended(stack.current)), [])
  // A toast that goes away takes the pointer and the focus with it, and no event tells the others.
  useEffect(() => {
    if (toasts.length === 0 || (stack.current && !isAttended(stack.current))) releaseToasts()
  }, [toasts])

  return (
    <div ref={stack} className={`toasts ${styles.stack}`}>
      <div className={styles.region} role="status">
        {toasts
          .filter(toast => !isUrgent(toast))
          .map(toast => (
            <ToastStrip key={toast.id} toast={toast} />
          ))}
      </div>
      <div className={styles.region} role="alert">
        {toasts.filter(isUrgent).map(toast => (
          <ToastStrip key={toast.id} toast={toast} />
        ))}
      </div>
    </div>
  )
}
