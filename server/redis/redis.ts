import { createAdapter } from '@socket.io/redis-adapter'
import { Redis as Client, type RedisOptions } from 'ioredis'
import type { Log } from '../http/log.ts'
import { startLoop } from '../loop.ts'

/** What several processes share for moments: counts and hints. Nothing in it is missed when it is gone. */
export interface Redis {
  /** Whether it took what was last written to it. */
  isAnswering(): boolean
  /**
   * Runs a script on one key, atomically.
   * @throws RedisAway within `answerMs`, and at once while it is known to be away
   */
  run(script: string, key: string, ...values: readonly number[]): Promise<unknown>
  /** Carries socket.io's events to the pages on other processes. */
  readonly socketAdapter: ReturnType<typeof createAdapter>
  close(): Promise<void>
}

/** Redis did not answer, not in time, or took nothing. Do without it. */
export class RedisAway extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is away', options)
    this.name = 'RedisAway'
  }
}

/** Before every key and channel, so that others may use the same Redis. */
const prefix = 'farline:'

/** A request waits no longer for Redis than this: beside a database that answers in milliseconds it is long. */
const answerMs = 500
/** After an answer that did not come, nobody else waits for one until Redis has answered again. */
const watchEveryMs = 1000
/** At the start it is not there yet when it is first asked, and that is nothing to tell. */
const firstTries = 2
const longestReconnectMs = 2000
/** A clock that rang so late tells of ourselves: we had too much to do, and heard nobody. */
const ownDelayMs = 100
/** Written rather than asked: one that is full, or may not save, answers well to whoever only asks. */
const probe = `return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])`
const probeLivesMs = 60_000

/**
 * Connects to Redis and goes on trying for as long as the server runs. Neither the start nor any request
 * waits for it. What is lost and found again is logged once each.
 */
export function openRedis(url: string, log: Log): Redis {
  const options = {
    connectTimeout: 2000,
    keepAlive: 10_000,
    retryStrategy: (tries: number) => Math.min(100 * 2 ** Math.min(tries, 5), longestReconnectMs),
    // A replica that took over from a primary, or the other way round.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    autoResendUnfulfilledCommands: false,
  } satisfies RedisOptions
  const commands = new Client(url, {
    ...options,
    connectionName: 'farline',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  // This one's subscriptions wait until there is a Redis; nobody waits for them.
  const listening = new Client(url, {
    ...options,
    connectionName: 'farline-events',
    maxRetriesPerRequest: null,
  })

  let told: 'answering' | 'away' | 'nothing' = 'nothing'
  let answering = false
  let closed = false
  const heard = () => {
    answering = true
    if (told === 'away')
      log.warn('Redis answers again: limits and live updates are shared with other processes')
    told = 'answering'
  }
  const lost = (error: unknown) => {
    answering = false
    if (told === 'away' || closed) return
    told = 'away'
    log.error(
      { err: error },
      'Redis does not answer, or takes nothing: until it does, limits are counted by each process for itself, and live updates reach the pages of this one alone',
    )
  }
  // An error without a listener would end the process; what it means is learnt by asking.
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
        if (told !== 'nothing' || asked > firstTries) lost(error)
      }
      if (listening.status === 'ready')
        await inTime(listening.ping(), answerMs * 4).catch(() => listening.disconnect(true))
    },
    lost,
  )

  // What the adapter asks of a client that publishes. It waits for nothing, and its own pages have heard by then.
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

/** The adapter waits for none of its subscriptions: one that fails because we close must not end the process. */
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

/**
 * @throws Error after so many milliseconds in which we would have heard an answer: what came while we were busy is read before
 * it counts as missing
 */
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
