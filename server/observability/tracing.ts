import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/port.ts'

/** What a span may say: never a number, an address, a token or a name of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Where time goes, drawn for somebody who looks for it. */
export interface Tracing {
  /** Runs work as a part of what is being traced, or as a trace of its own. */
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>
  /** The same, for what is too frequent to be worth a trace of its own. */
  part<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>
  /** Traces every request. Call it before routes are mounted. */
  watch(app: FastifyInstance): void
  /** Sends what is not sent yet, as far as there is time for it. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** An OpenTelemetry collector, without a trailing slash. */
  readonly url: string
  readonly version: string
  /** This process among the others. */
  readonly process: string
  /** Whether a proxy of ours stands in front: then, and only then, requests may belong to a trace that it began. */
  readonly behindProxy: boolean
  /** How long stopping waits for the collector, in milliseconds; 3 s unless given. */
  readonly longestFlushMs?: number
}

/** Nothing of it is loaded where it is not configured. */
export async function openTracing(options: TracingOptions | undefined): Promise<Tracing | undefined> {
  if (options === undefined) return undefined
  const { startTracing } = await import('./open-telemetry.ts')
  return startTracing(options)
}

/** The database with its queries and transactions as parts of what asks for them. */
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
