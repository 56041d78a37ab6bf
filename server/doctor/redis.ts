import { Redis } from 'ioredis'
import { type Check, networkCodeOf, patienceMs } from './finding.ts'

const leastVersion = 6
const probeLivesMs = 10_000

/** Redis's own words for what keeps it from taking anything. */
const takesNothing = /\b(OOM|MISCONF|READONLY|NOPERM|NOREPLICAS)\b/

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
        const [server, replication] = [await redis.info('server'), await redis.info('replication')]
        const version = /redis_version:(\S+)/.exec(server)?.[1] ?? 'unknown'
        if (/^role:slave/m.test(replication)) {
          return [find.problem('Redis is a replica: it takes nothing.', 'Set REDIS_URL to its primary.')]
        }
        // Written, as the server does: one that is full, or may not save, answers well to whoever only asks.
        await redis.set('farline:doctor', '1', 'PX', probeLivesMs)
        if (Number.parseInt(version, 10) < leastVersion) {
          return [
            find.warning(`Redis ${version} is older than what we test with.`, 'Move to version 6 or later.'),
          ]
        }
        return [find.ok(`Redis ${version} answers, and can be written to.`)]
      } catch (error) {
        const words = [error, reason].map(String).join()
        if (/WRONGPASS|NOAUTH|invalid (username-)?password/i.test(words)) {
          return [find.problem('Redis refuses the password.', 'Correct it in REDIS_URL.')]
        }
        const [, refusal] = takesNothing.exec(words) ?? []
        if (refusal !== undefined) {
          return [
            find.problem(
              `Redis answers, and takes nothing (${refusal}).`,
              'Its log says why: mostly memory or disk that is full, or a user who may not write keys of farline:*.',
            ),
          ]
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
