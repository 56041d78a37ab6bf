import { createHmac } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Clock } from '../clock.ts'
import type { Redis } from '../redis/redis.ts'
import { createCounts } from './rate-limit-counts.ts'

export interface RateLimitTools {
  readonly clock: Clock
  /** Hashes what is counted: neither an address nor a route can be read off Redis. */
  readonly key: Uint8Array
  /** Without one, or while it is away, this process counts for itself. */
  readonly redis?: Redis | undefined
}

/** Counts one more, and lets the window begin with the first: in one step, so that many at once are all counted. */
const countOne = `
local taken = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {taken, left}`

/**
 * Where `@fastify/rate-limit` counts requests, each route for itself: in Redis, for all processes together, and in this
 * process beside it. When Redis goes (reliability row 8) the count goes on with what this process has seen itself.
 */
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
      // The plugin hands over its own options, with the route inside, against its types.
      const { method, url } = (options as unknown as { routeInfo: { method: string; url: string } }).routeInfo
      store.#route = `${method} ${url}`
      return store
    }
  }
}
