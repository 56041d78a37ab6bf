/** What the browser lets a call say and hear at one moment. */
export interface SoundLook {
  /** `muted`: by the system, such as during another call, or by the user in the browser's own controls. */
  readonly microphone: 'live' | 'muted' | 'ended'
  /** Whether the callee is played. */
  readonly playing: boolean
  /** Whether the page is in front. */
  readonly visible: boolean
}

export interface Interruption {
  /** Since when something has been missing, or since the page came back with it missing; null if nothing is. */
  readonly sinceMs: number | null
  readonly reopenings: number
  /** Whether the caller must be notified, as only a press helps. */
  readonly notified: boolean
  readonly visible: boolean
}

export interface Mended {
  readonly next: Interruption
  readonly reopen: boolean
}

export const uninterrupted: Interruption = { sinceMs: null, reopenings: 0, notified: false, visible: true }

/** When to reopen an ended microphone: the voice client does so itself within the first, if the browser reports a change. */
const reopenAfterMs = [1000, 2000] as const
const notifyAfterMs = 1500

/**
 * One look at the sound. A muted microphone is never reopened without a press: the user may have paused it. That one has
 * ended is reported elsewhere, at once.
 */
export function watchInterruption(before: Interruption, look: SoundLook, nowMs: number): Mended {
  const { microphone, playing, visible } = look
  if (microphone === 'live' && playing) return { next: { ...uninterrupted, visible }, reopen: false }
  // Back in front, the page may have what it was refused behind.
  const afresh = visible && !before.visible
  const sinceMs = afresh ? nowMs : (before.sinceMs ?? nowMs)
  const reopenings = afresh ? 0 : before.reopenings
  const lastedMs = nowMs - sinceMs
  const dueMs = reopenAfterMs[reopenings]
  const reopen = microphone === 'ended' && dueMs !== undefined && lastedMs >= dueMs
  return {
    next: {
      sinceMs,
      reopenings: reopenings + (reopen ? 1 : 0),
      notified: (microphone === 'muted' || !playing) && lastedMs >= notifyAfterMs,
      visible,
    },
    reopen,
  }
}
