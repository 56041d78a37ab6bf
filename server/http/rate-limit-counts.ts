import type { Clock } from '../process/clock.ts'

/** Max names; beyond that the oldest are dropped with their counts. */
const maxNames = 10_000

export interface Counts {
  /** Counts one use in a window that begins with the first. @returns the count, and the milliseconds left */
  take(name: string, windowMs: number): { current: number; ttl: number }
}

export function createCounts({ monotonicMs }: Pick<Clock, 'monotonicMs'>, max = maxNames): Counts {
  const windows = new Map<string, { taken: number; readonly endsAtMs: number }>()
  return {
    take: (name, windowMs) => {
      const now = monotonicMs()
      const kept = windows.get(name)
      const window = kept !== undefined && kept.endsAtMs > now ? kept : { taken: 0, endsAtMs: now + windowMs }
      window.taken += 1
      // Moved to the end, so that frequent names are not dropped.
      windows.delete(name)
      windows.set(name, window)
      for (const oldest of windows.keys()) {
        if (windows.size <= max) break
        windows.delete(oldest)
      }
      return { current: window.taken, ttl: Math.ceil(window.endsAtMs - now) }
    },
  }
}
