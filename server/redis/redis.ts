import { createAdapter } from '@socket.io/redis-adapter'
import { Redis as Client, type RedisOptions } from 'ioredis'
import { minuteMs } from '#lib/time.ts'
import type { Log } from '../http/log.ts'
import { startLoop } from '../process/loop.ts'

/** Short-lived state shared by processes: counts and hints. All of it may be lost. */
export interface Redis {
  /** Whether the last write succeeded. */
  isAnswering(): boolean
  /** Runs a script on one key, atomically. @throws RedisAway within `answerMs`, or at once while Redis is away */
  run(script: string, key: string, ...values: readonly number[]): Promise<unknown>
  readonly socketAdapter: ReturnType<typeof createAdapter>
  close(): Promise<void>
}

/** Redis did not answer in time, or rejected a write. Go on without it. */
export class RedisAway extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is away', options)
    this.name = 'RedisAway'
  }
}

/** Prefix of every key and channel, so that others can share the same Redis. */
const prefix = 'farline:'

/** Max wait of a request for Redis; long compared with a database that answers in milliseconds. */
const answerMs = 500
/** After a timeout no request waits until this periodic probe succeeds again. */
const watchEveryMs = 1000
/** The first probe often precedes the connection; that is not logged. */
const firstTries = 2
const longestReconnectMs = 2000
/** A timer later than this means that this process was too busy to read the answer. */
const ownDelayMs = 100
/** A write, since a Redis that is full or cannot save still answers reads. */
const probe = `return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])`
const probeLivesMs = minuteMs

/** Retries for as long as the server runs; nothing waits for it. Each loss and each recovery is logged once. */
export function openRedis(url: string, log: Log): Redis {
  const options = {
    connectTimeout: 2000,
    keepAlive: 10_000,
    retryStrategy: (tries: number) => Math.min(100 * 2 ** Math.min(tries, 5), longestReconnectMs),
    // A failover changed a primary into a replica, or the reverse.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    autoResendUnfulfilledCommands: false,
  } satisfies RedisOptions
  const commands = new Client(url, {
    ...options,
    connectionName: 'farline',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  // Subscriptions are queued until Redis is there; nothing waits for them.
  const listening = new Client(url, {
    ...options,
    connectionName: 'farline-events',
    maxRetriesPerRequest: null,
  })

  let reported: 'answering' | 'away' | 'nothing' = 'nothing'
  let answering = false
  let closed = false
  const heard = () => {
    answering = true
    if (reported === 'away')
      log.warn('Redis is back: limits and live updates are shared with other processes again')
    reported = 'answering'
  }
  const lost = (error: unknown) => {
    answering = false
    if (reported === 'away' || closed) return
    reported = 'away'
    log.error(
      { err: error },
      'Redis does not answer or rejects writes: until it recovers, each process counts limits by itself, and live updates reach only the pages of the same process',
    )
  }
  // An unhandled error event would end the process; the probe detects the loss.
  commands.on('error', () => {})
  listening.on('error', () => {})

  const write = (script: string, key: string, values: readonly number[]) =>
    inTime(commands.eval(script, 1, `${prefix}${key}`, ...values), answerMs)
  const look = () => write(probe, 'probe', [probeLivesMs]).then(heard)
  commands.on('ready', () => look().catch(() => {}))

  let asked = 0
  const watch = startLoop(
    watchEveryMs,
    async () => {
      asked += 1
      try {
        await look()
      } catch (error) {
        if (reported !== 'nothing' || asked > firstTries) lost(error)
      }
      if (listening.status === 'ready')
        await inTime(listening.ping(), answerMs * 4).catch(() => listening.disconnect(true))
    },
    lost,
  )

  // The client interface that the adapter needs to publish. Fire and forget: local pages get the event without it.
  const publisher = {
    on: () => {},
    off: () => {},
    publish: (channel: string, message: string | Buffer) => {
      if (answering) inTime(commands.publish(channel, message), answerMs).catch(lost)
    },
  }

  return {
    isAnswering: () => answering,
    run: async (script, key, ...values) => {
      if (!answering) throw new RedisAway()
      try {
        return await write(script, key, values)
      } catch (error) {
        lost(error)
        throw new RedisAway({ cause: error })
      }
    },
    socketAdapter: createAdapter(publisher, quietSubscriber(listening), { key: `${prefix}events` }),
    close: async () => {
      closed = true
      await watch.stop()
      commands.disconnect()
      listening.disconnect()
    },
  }
}

/** The adapter ignores the promises of its subscriptions; one that fails on close must not end the process. */
function quietSubscriber(client: Client): object {
  const quietly = (work: Promise<unknown>) => {
    work.catch(() => {})
  }
  return {
    on: (event: string, listener: (...values: unknown[]) => void) => client.on(event, listener),
    off: (event: string, listener: (...values: unknown[]) => void) => client.off(event, listener),
    psubscribe: (...patterns: string[]) => quietly(client.psubscribe(...patterns)),
    subscribe: (channels: string[]) => quietly(client.subscribe(...channels)),
    punsubscribe: (...patterns: string[]) => quietly(client.punsubscribe(...patterns)),
    unsubscribe: (channels: string[]) => quietly(client.unsubscribe(...channels)),
  }
}

/** Time in which this process was too busy to read does not count. @throws Error after `ms` without an answer */
async function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    const dueMs = performance.now() + ms
    timer = setTimeout(() => {
      if (performance.now() - dueMs > ownDelayMs) wait()
      else setImmediate(() => late.reject(new Error(`no answer in ${ms} ms`)))
    }, ms)
  }
  wait()
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
