import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../db/port.ts'
import type { Log } from '../http/log.ts'
import type { Clock } from '../process/clock.ts'
import { type Loop, startLoop } from '../process/loop.ts'
import { followCertificate } from './certificate.ts'
import { type Facts, rememberFacts } from './facts.ts'
import { createMetrics, type Metrics, type ProcessFacts } from './metrics.ts'
import type { Observer } from './port.ts'
import { followPrepaid } from './prepaid.ts'
import { createSamples, samplePauseMs } from './samples.ts'
import type { Tracing } from './tracing.ts'

export interface LiveParts {
  readonly liveCallIds: () => readonly string[]
  readonly sockets: () => number
  /** Undefined: no Redis is configured. */
  readonly redisReady: (() => boolean) | undefined
  /** US dollars. @throws when the carrier is unavailable */
  readonly prepaidUsd: () => Promise<number | undefined>
}

export interface Observability {
  readonly observe: Observer
  readonly metrics: Metrics
  /** Cached for a few seconds; null while the database does not answer. */
  readonly facts: () => Promise<Facts | null>
  readonly redisReady: (() => boolean) | undefined
  readonly tracing: Tracing | undefined
  start(): void
  /** Writes the last sample; call it before the database is closed. */
  stop(): Promise<void>
}

export interface ObservabilityOptions extends LiveParts {
  readonly config: Pick<Config, 'publicUrl'>
  readonly dataDirectory: string
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly nodeId: string
  readonly tracing: Tracing | undefined
}

export function readVersion(): string {
  const file = join(import.meta.dirname, '..', '..', 'package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

export function openObservability(options: ObservabilityOptions): Observability {
  const { db, clock, log, nodeId, redisReady, tracing } = options
  const version = readVersion()
  const facts = rememberFacts(db, clock)
  const certificateEndsAt = followCertificate(options.config.publicUrl, clock.monotonicMs)
  const prepaidUsd = followPrepaid(options.prepaidUsd, clock.monotonicMs, log)
  const disk = followDisk(options.dataDirectory)
  const processFacts = (): ProcessFacts => ({
    calls: options.liveCallIds().length,
    sockets: options.sockets(),
    pool: db.load?.(),
    redisReady: redisReady?.(),
    disk: disk(),
    certificateEndsAt: certificateEndsAt(),
    prepaidUsd: prepaidUsd(),
  })
  const metrics = createMetrics({ facts, process: processFacts, version })
  const samples = createSamples({ db, clock, facts, process: processFacts, name: nodeId, version })
  let loop: Loop | undefined
  return {
    observe: seen => {
      metrics.observe(seen)
      samples.observe(seen)
    },
    metrics,
    facts,
    redisReady,
    tracing,
    start: () => {
      loop ??= startLoop(
        samplePauseMs,
        () => samples.write(),
        error => log.warn({ err: error }, 'could not write a sample'),
      )
    },
    stop: async () => {
      await loop?.stop()
      await samples.write(true).catch(error => log.warn({ err: error }, 'could not write the last sample'))
    },
  }
}

/** The directory's disk as of the previous read: each read returns the last result and starts a new query. */
function followDisk(directory: string): () => ProcessFacts['disk'] {
  let known: ProcessFacts['disk']
  const ask = () => {
    void statfs(directory).then(
      ({ bavail, blocks, bsize }) => {
        known = { free: bavail * bsize, size: blocks * bsize }
      },
      () => {
        known = undefined
      },
    )
  }
  ask()
  return () => {
    ask()
    return known
  }
}
