import { useCallback, useState } from 'react'
import { useNow } from '../patience/use-now.ts'
import { waitText } from './wait-text.ts'

/** What the server said that is about the form as a whole. */
interface Refused {
  readonly message: string
  /** When it may be tried again; null when the server did not say. */
  readonly untilMs: number | null
  /** What was sent: anything else may be sent at once. */
  readonly about: string
}

export interface Refusal {
  readonly message: string | null
  /** Seconds until it may be tried again; 0 when it may now. */
  readonly waitSeconds: number
  /** What to say to a press that came too early; empty until there was one. */
  readonly reminder: string
  /** @param about what was sent, as far as it decides who is throttled */
  readonly refuse: (failure: { message: string; retryAfterMs?: number }, about?: string) => void
  readonly clear: () => void
  /** Whether the same would be refused again, so that asking is of no use. */
  readonly holds: (about?: string) => boolean
  /** Says how long it still holds: somebody has pressed all the same. */
  readonly remind: () => void
}

/** A refusal stays on the page until it is overtaken, or until what was throttled may be tried again. */
export function useRefusal(): Refusal {
  const [refused, setRefused] = useState<Refused | null>(null)
  const untilMs = refused?.untilMs ?? null
  const [reminder, setReminder] = useState('')
  const nowMs = useNow(untilMs !== null)
  const waitMs = untilMs === null ? 0 : untilMs - nowMs
  const over = untilMs !== null && waitMs <= 0

  const refuse = useCallback<Refusal['refuse']>(({ message, retryAfterMs }, about = '') => {
    setReminder('')
    setRefused({ message, about, untilMs: retryAfterMs === undefined ? null : Date.now() + retryAfterMs })
  }, [])
  const clear = useCallback(() => {
    setReminder('')
    setRefused(null)
  }, [])
  const holds = (about = '') =>
    refused?.untilMs != null && refused.untilMs > Date.now() && refused.about === about

  const remind = () => {
    const leftMs = (refused?.untilMs ?? 0) - Date.now()
    setReminder(`You can try again in ${waitText(Math.max(1, Math.ceil(leftMs / 1000)))}.`)
  }

  return {
    message: over ? null : (refused?.message ?? null),
    waitSeconds: over ? 0 : Math.max(0, Math.ceil(waitMs / 1000)),
    refuse,
    clear,
    holds,
    reminder: over ? '' : reminder,
    remind,
  }
}
