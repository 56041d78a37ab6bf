import { Redis } from 'ioredis'
import { type Check, checkTimeoutMs, networkCodeOf } from '../process/finding.ts'

const minVersion = 6
const probeLivesMs = 10_000

/** Redis's error codes for rejected writes. */
const rejectsWrites = /\b(OOM|MISCONF|READONLY|NOPERM|NOREPLICAS)\b/

/** Checks Redis, which several processes share. Without it the server runs, and each process works alone. */
export function checkRedis(redisUrl: string): Check {
  return {
    about: 'Redis',
    run: async find => {
      const redis = new Redis(redisUrl, {
        lazyConnect: true,
        connectTimeout: checkTimeoutMs - 1000,
        commandTimeout: checkTimeoutMs - 1000,
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
          return [find.problem('Redis is a replica, which is read-only.', 'Set REDIS_URL to its primary.')]
        }
        // Writes, as the server does: a Redis that is full, or may not save, still answers reads.
        await redis.set('farline:doctor', '1', 'PX', probeLivesMs)
        if (Number.parseInt(version, 10) < minVersion) {
          return [
            find.warning(
              `Redis ${version} is older than the versions we test.`,
              'Upgrade to version 6 or later.',
            ),
          ]
        }
        return [find.ok(`Redis ${version} answers and accepts writes.`)]
      } catch (error) {
        const message = [error, reason].map(String).join()
        if (/WRONGPASS|NOAUTH|invalid (username-)?password/i.test(message)) {
          return [find.problem('Redis rejects the password.', 'Correct it in REDIS_URL.')]
        }
        const [, rejection] = rejectsWrites.exec(message) ?? []
        if (rejection !== undefined) {
          return [
            find.problem(
              `Redis answers, but rejects writes (${rejection}).`,
              'See its log: usually memory or disk is full, or the user may not write the keys farline:*.',
            ),
          ]
        }
        return [
          find.problem(
            `Redis does not answer (${networkCodeOf(reason ?? error)}).`,
            'Start it, or correct REDIS_URL. Until then, each process has its own live updates and limits.',
          ),
        ]
      } finally {
        redis.disconnect()
      }
    },
  }
}
