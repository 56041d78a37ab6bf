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
} from '#session/toasts.ts'
import { texts } from './texts.ts'
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
      <button type="button" className="tap" aria-label={texts.dismiss} onClick={() => dismissToast(toast.id)}>
        <X className="i" />
      </button>
    </div>
  )
}

function isAttended(element: HTMLElement): boolean {
  return element.matches(':hover') || element.contains(document.activeElement)
}

/** Pauses the timers while the element is hovered or has focus. */
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
    // The document knows the new focus only after this event.
    setTimeout(() => {
      if (!isAttended(element)) releaseToasts()
    })
  })
  return () => listening.abort()
}

/** Both live regions exist before any message, so each is announced: errors at once, others when the reader is idle. */
export function Toasts() {
  const toasts = useStore($toasts, { ssr: 'initial' })
  const stack = useRef<HTMLDivElement>(null)
  useEffect(showCarriedToast, [])
  useEffect(() => (stack.current === null ? undefined : holdWhileAttended(stack.current)), [])
  // Removing a toast with pointer or focus fires no event, so the timers must be resumed here.
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
