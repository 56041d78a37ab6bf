import type { Clock } from '../clock.ts'

/** More names than this are not remembered: the oldest are forgotten, and so is what they had taken. */
const mostNames = 10_000

export interface Counts {
  /** One more of a name within a window that begins with its first; how many it makes, and how long the window lasts yet. */
  take(name: string, windowMs: number): { current: number; ttl: number }
}

/** What one process counts for itself. */
export function createCounts({ monotonicMs }: Pick<Clock, 'monotonicMs'>, most = mostNames): Counts {
  const windows = new Map<string, { taken: number; readonly endsAtMs: number }>()
  return {
    take: (name, windowMs) => {
      const now = monotonicMs()
      const kept = windows.get(name)
      const window = kept !== undefined && kept.endsAtMs > now ? kept : { taken: 0, endsAtMs: now + windowMs }
      window.taken += 1
      // At the end of the line, so that who asks again and again is not the one to be forgotten.
      windows.delete(name)
      windows.set(name, window)
      for (const oldest of windows.keys()) {
        if (windows.size <= most) break
        windows.delete(oldest)
      }
      return { current: window.taken, ttl: Math.ceil(window.endsAtMs - now) }
    },
  }
}
