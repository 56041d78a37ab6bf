import { DatabaseUnavailable, type PoolLoad } from './port.ts'
import type { PostgresConnection } from './postgres-connection.ts'

/** Sessions open at once, where nothing else is said. */
export const defaultPoolSize = 10

export interface PoolLimits {
  /** Sessions open at once. */
  readonly size: number
  /** How long work waits for a session, in milliseconds. */
  readonly waitMs: number
  /** How much work may wait; more is refused at once. */
  readonly waiting: number
}

export interface PostgresPool {
  /** Lends a session to `work` alone. @throws DatabaseUnavailable when none is to be had in time. */
  use<Value>(work: (connection: PostgresConnection) => Promise<Value>): Promise<Value>
  load(): PoolLoad
  /** Refuses new work, lets what runs end, and closes every session. */
  close(): Promise<void>
}

interface Waiting {
  take(connection: PostgresConnection): void
  fail(error: unknown): void
  stopWaiting(): void
}

/** Sessions are opened when they are needed, kept, and replaced once they are lost. */
export function createPool(connect: () => Promise<PostgresConnection>, limits: PoolLimits): PostgresPool {
  const idle: PostgresConnection[] = []
  const queue: Waiting[] = []
  let open = 0
  let closing: { emptied(): void; readonly closed: Promise<void> } | undefined

  /** From here on the wait for a session is over: what a new one takes to open has a limit of its own. */
  const firstInLine = (): Waiting | undefined => {
    const first = queue.shift()
    first?.stopWaiting()
    return first
  }
  const openFor = (waiting: Pick<Waiting, 'take' | 'fail'>) => {
    open += 1
    void connect().then(
      connection => waiting.take(connection),
      error => {
        waiting.fail(error)
        leave()
      },
    )
  }
  /** A place in the pool is free: whoever waits longest gets a new session in it. */
  const leave = () => {
    open -= 1
    const next = firstInLine()
    if (next !== undefined) openFor(next)
    else if (open === 0) closing?.emptied()
  }
  const giveBack = (connection: PostgresConnection) => {
    if (connection.isLost()) return leave()
    const next = firstInLine()
    if (next !== undefined) next.take(connection)
    else if (closing === undefined) idle.push(connection)
    else void connection.close().then(leave, leave)
  }
  const acquire = (): Promise<PostgresConnection> => {
    if (closing !== undefined) throw new DatabaseUnavailable('the database is being closed')
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (!kept.isLost()) return Promise.resolve(kept)
      open -= 1
    }
    if (open >= limits.size && queue.length >= limits.waiting) {
      throw new DatabaseUnavailable('too much work waits for the database')
    }
    return new Promise((resolve, reject) => {
      if (open < limits.size) return openFor({ take: resolve, fail: reject })
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new DatabaseUnavailable('no connection to the database became free in time'))
      }, limits.waitMs)
      const waiting: Waiting = { take: resolve, fail: reject, stopWaiting: () => clearTimeout(timer) }
      queue.push(waiting)
    })
  }

  return {
    load: () => ({ busy: open - idle.length, waiting: queue.length, size: limits.size }),
    use: async work => {
      const connection = await acquire()
      try {
        return await work(connection)
      } finally {
        giveBack(connection)
      }
    },
    close: async () => {
      if (closing !== undefined) return closing.closed
      const { promise: closed, resolve: emptied } = Promise.withResolvers<void>()
      closing = { emptied, closed }
      for (const connection of idle.splice(0)) void connection.close().then(leave, leave)
      if (open === 0) emptied()
      await closed
    },
  }
}
