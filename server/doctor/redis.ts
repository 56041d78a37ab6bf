import { Redis } from 'ioredis'
import { type Check, networkCodeOf, patienceMs } from './finding.ts'

const leastVersion = 6

/** What several processes share. The server runs without it, and each process then for itself. */
export function checkRedis(redisUrl: string): Check {
  return {
    about: 'Redis',
    run: async find => {
      const redis = new Redis(redisUrl, {
        lazyConnect: true,
        connectTimeout: patienceMs - 1000,
        commandTimeout: patienceMs - 1000,
        retryStrategy: () => null,
        maxRetriesPerRequest: 0,
      })
      let reason: unknown
      redis.on('error', (error: unknown) => {
        reason = error
      })
      try {
        await redis.connect()
        await redis.ping()
        const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown'
        if (Number.parseInt(version, 10) < leastVersion) {
          return [
            find.warning(`Redis ${version} is older than what we test with.`, 'Move to version 6 or later.'),
          ]
        }
        return [find.ok(`Redis ${version} answers.`)]
      } catch (error) {
        const words = [error, reason].map(String).join()
        if (/WRONGPASS|NOAUTH|invalid (username-)?password/i.test(words)) {
          return [find.problem('Redis refuses the password.', 'Correct it in REDIS_URL.')]
        }
        return [
          find.problem(
            `Redis does not answer (${networkCodeOf(reason ?? error)}).`,
            'Start it, or correct REDIS_URL. Until then live updates and limits are those of one process each.',
          ),
        ]
      } finally {
        redis.disconnect()
      }
    },
  }
}
