import { useCallback, useState } from 'react'
import { useNow } from '../patience/use-now.ts'

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
  /** @param about what was sent, as far as it decides who is throttled */
  readonly refuse: (failure: { message: string; retryAfterMs?: number }, about?: string) => void
  readonly clear: () => void
  /** Whether the same would be refused again, so that asking is of no use. */
  readonly holds: (about?: string) => boolean
}

/** A refusal stays on the page until it is overtaken, or until what was throttled may be tried again. */
export function useRefusal(): Refusal {
  const [refused, setRefused] = useState<Refused | null>(null)
  const untilMs = refused?.untilMs ?? null
  const nowMs = useNow(untilMs !== null)
  const waitMs = untilMs === null ? 0 : untilMs - nowMs
  const over = untilMs !== null && waitMs <= 0

  const refuse = useCallback<Refusal['refuse']>(({ message, retryAfterMs }, about = '') => {
    setRefused({ message, about, untilMs: retryAfterMs === undefined ? null : Date.now() + retryAfterMs })
  }, [])
  const clear = useCallback(() => setRefused(null), [])
  const holds = (about = '') =>
    refused?.untilMs != null && refused.untilMs > Date.now() && refused.about === about

  return {
    message: over ? null : (refused?.message ?? null),
    waitSeconds: over ? 0 : Math.max(0, Math.ceil(waitMs / 1000)),
    refuse,
    clear,
    holds,
  }
}
