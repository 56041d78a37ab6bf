import { DatabaseUnavailable, type PoolLoad } from './port.ts'
import type { PostgresConnection } from './postgres-connection.ts'

export const defaultPoolSize = 10

export interface PoolLimits {
  readonly size: number
  readonly waitMs: number
  /** How much work may wait; more is rejected at once. */
  readonly waiting: number
}

export interface PostgresPool {
  /** Lends a session to `work` alone. @throws DatabaseUnavailable if none is free in time */
  use<Value>(work: (connection: PostgresConnection) => Promise<Value>): Promise<Value>
  load(): PoolLoad
  /** Rejects new work, waits for running work, and closes every session. */
  close(): Promise<void>
}

interface Waiting {
  grant(connection: PostgresConnection): void
  fail(error: unknown): void
  stopWaiting(): void
}

/** Sessions are opened on demand, kept, and replaced once lost. */
export function createPool(connect: () => Promise<PostgresConnection>, limits: PoolLimits): PostgresPool {
  const idle: PostgresConnection[] = []
  const queue: Waiting[] = []
  let open = 0
  let closing: { emptied(): void; readonly closed: Promise<void> } | undefined

  /** Stops the wait timer: opening a new session has a limit of its own. */
  const firstWaiting = (): Waiting | undefined => {
    const first = queue.shift()
    first?.stopWaiting()
    return first
  }
  const openFor = (waiting: Pick<Waiting, 'grant' | 'fail'>) => {
    open += 1
    void connect().then(
      connection => waiting.grant(connection),
      error => {
        waiting.fail(error)
        leave()
      },
    )
  }
  const leave = () => {
    open -= 1
    const next = firstWaiting()
    if (next !== undefined) openFor(next)
    else if (open === 0) closing?.emptied()
  }
  const giveBack = (connection: PostgresConnection) => {
    if (connection.isLost()) return leave()
    const next = firstWaiting()
    if (next !== undefined) next.grant(connection)
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
      throw new DatabaseUnavailable('too many requests wait for the database')
    }
    return new Promise((resolve, reject) => {
      if (open < limits.size) return openFor({ grant: resolve, fail: reject })
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new DatabaseUnavailable('no connection to the database became free in time'))
      }, limits.waitMs)
      const waiting: Waiting = { grant: resolve, fail: reject, stopWaiting: () => clearTimeout(timer) }
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
