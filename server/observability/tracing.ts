import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/port.ts'

/** Never a phone number, an address, a token or a person's name. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface Tracing {
  /** Runs work in a child span, or in a trace of its own. */
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>
  /** As `span`, but without a trace of its own: for frequent work. */
  part<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>
  /** Traces every request. Call it before routes are mounted. */
  watch(app: FastifyInstance): void
  /** Exports pending spans within a time limit. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** An OpenTelemetry collector, without a trailing slash. */
  readonly url: string
  readonly version: string
  readonly process: string
  /** Whether a proxy of ours is in front: only then may requests join a trace that it began. */
  readonly behindProxy: boolean
  /** How long stopping waits for the collector, in milliseconds. Default 3 s. */
  readonly longestFlushMs?: number
}

/** Loads the packages only if tracing is configured. */
export async function openTracing(options: TracingOptions | undefined): Promise<Tracing | undefined> {
  if (options === undefined) return undefined
  const { startTracing } = await import('./open-telemetry.ts')
  return startTracing(options)
}

/** Traces queries and transactions as parts of the active span. */
export function traceDatabase<Traced extends Db>(db: Traced, tracing: Tracing | undefined): Traced {
  if (tracing === undefined) return db
  return {
    ...db,
    query: (sql, parameters) =>
      tracing.part('database query', { 'db.operation.name': operationOf(sql) }, () =>
        db.query(sql, parameters),
      ),
    transaction: work => tracing.part('database transaction', {}, () => db.transaction(work)),
  }
}

function operationOf(sql: string): string {
  return /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'other'
}
