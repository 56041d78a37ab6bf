import { useCallback, useState } from 'react'
import { useNow } from './use-now.ts'
import { againText } from './wait-text.ts'

interface ShownError {
  readonly message: string
  /** When a retry is allowed; null if the server gave no time. */
  readonly untilMs: number | null
  /** The input that was rejected. Different input may be sent at once. */
  readonly about: string
}

export interface FormError {
  readonly message: string | null
  /** Seconds until a retry is allowed; 0 when it is allowed now. */
  readonly waitSeconds: number
  /** Message for a press that came too early; otherwise empty. */
  readonly reminder: string
  /** @param about the part of the input by which the server throttles */
  readonly showError: (failure: { message: string; retryAfterMs?: number }, about?: string) => void
  readonly clear: () => void
  /** True while the same input would be throttled again. */
  readonly holds: (about?: string) => boolean
  /** Sets `reminder`, after a press that came too early. */
  readonly remind: () => void
}

/** Keeps an error on the page until it is superseded, or until the throttled request may be retried. */
export function useFormError(): FormError {
  const [shownError, setShownError] = useState<ShownError | null>(null)
  const untilMs = shownError?.untilMs ?? null
  const [reminder, setReminder] = useState('')
  const nowMs = useNow(untilMs !== null)
  const waitMs = untilMs === null ? 0 : untilMs - nowMs
  const over = untilMs !== null && waitMs <= 0

  const showError = useCallback<FormError['showError']>(({ message, retryAfterMs }, about = '') => {
    setReminder('')
    setShownError({ message, about, untilMs: retryAfterMs === undefined ? null : Date.now() + retryAfterMs })
  }, [])
  const clear = useCallback(() => {
    setReminder('')
    setShownError(null)
  }, [])
  const holds = (about = '') =>
    shownError?.untilMs != null && shownError.untilMs > Date.now() && shownError.about === about

  const remind = () => {
    const leftMs = (shownError?.untilMs ?? 0) - Date.now()
    setReminder(againText(Math.max(1, Math.ceil(leftMs / 1000))))
  }

  return {
    message: over ? null : (shownError?.message ?? null),
    waitSeconds: over ? 0 : Math.max(0, Math.ceil(waitMs / 1000)),
    showError,
    clear,
    holds,
    reminder: over ? '' : reminder,
    remind,
  }
}
