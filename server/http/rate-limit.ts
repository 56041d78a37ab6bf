import { createHmac } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Clock } from '../process/clock.ts'
import type { Redis } from '../redis/redis.ts'

export interface RateLimitTools {
  readonly clock: Clock
  /** Hashes addresses and routes, so that Redis reveals neither. */
  readonly key: Uint8Array
  /** Without Redis, or while it is unavailable, this process counts alone. */
  readonly redis?: Redis | undefined
}

/** Max names; beyond that the oldest are dropped with their counts. */
const maxNames = 10_000

/** Counts and starts the window in one atomic step, so that no concurrent request is missed. */
const countOne = `
local taken = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {taken, left}`

/** Counts per route in Redis and in this process, whose count remains if Redis fails (REL-8). */
export function createRateLimitStore({ clock, key, redis }: RateLimitTools): FastifyRateLimitStoreCtor {
  const counts = createCounts(clock)
  return class Store implements FastifyRateLimitStore {
    #route = ''

    incr: FastifyRateLimitStore['incr'] = (subject, done, windowMs) => {
      const name = createHmac('sha256', key).update(`limit ${this.#route} ${subject}`).digest('base64url')
      const own = counts.take(name, windowMs)
      if (redis === undefined) return done(null, own)
      redis.run(countOne, `limit:${name}`, windowMs).then(
        answer => {
          const [current = 0, ttl = 0] = answer as number[]
          done(null, { current, ttl })
        },
        () => done(null, own),
      )
    }

    child: FastifyRateLimitStore['child'] = options => {
      const store = new Store()
      // The plugin passes its own options, including the route, contrary to its types.
      const { method, url } = (options as unknown as { routeInfo: { method: string; url: string } }).routeInfo
      store.#route = `${method} ${url}`
      return store
    }
  }
}

interface Counts {
  /** Counts one use in a window that begins with the first. @returns the count, and the milliseconds left */
  take(name: string, windowMs: number): { current: number; ttl: number }
}

function createCounts({ monotonicMs }: Pick<Clock, 'monotonicMs'>): Counts {
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
        if (windows.size <= maxNames) break
        windows.delete(oldest)
      }
      return { current: window.taken, ttl: Math.ceil(window.endsAtMs - now) }
    },
  }
}
