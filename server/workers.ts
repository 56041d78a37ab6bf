import type { FastifyBaseLogger } from 'fastify'
import { runDueJobs } from './jobs/run.ts'
import { type Loop, startLoop } from './loop.ts'
import type { Mailer } from './mail/port.ts'
import { chargeDueMinutes } from './services/calls/meter.ts'
import { recordHeartbeats } from './services/calls/progress.ts'
import { placingGraceMs, reconcileCalls } from './services/calls/reconcile.ts'
import type { Services } from './services/context.ts'

/** A minute that has begun is charged within this time. */
const meterPauseMs = 200
const jobsPauseMs = 500
/** product-decisions 'Money': the last persisted heartbeat is a crash's end of call. */
const heartbeatPauseMs = 5000
const reconcilePauseMs = 60_000

export interface WorkerTools {
  readonly services: Services
  readonly mailer: Mailer
  /** Calls that this process carries. */
  readonly liveCallIds: () => readonly string[]
  readonly log: FastifyBaseLogger
}

/** Starts the work that no request asks for: metering, heartbeats, reconciliation, jobs. */
export function startWorkers({ services, mailer, liveCallIds, log }: WorkerTools): Loop {
  const onError = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed`)
  const jobs = {
    db: services.db,
    clock: services.clock,
    mailer,
    onFailure: (job: { id: number; kind: string; attempts: number }, error: unknown) =>
      log.warn({ job, reason: error instanceof Error ? error.name : 'unknown' }, 'a job failed'),
  }
  const loops = [
    startLoop(meterPauseMs, () => chargeDueMinutes(services), onError('metering')),
    startLoop(jobsPauseMs, () => runDueJobs(jobs), onError('running jobs')),
    startLoop(heartbeatPauseMs, () => recordHeartbeats(services, liveCallIds()), onError('heartbeats')),
    startLoop(reconcilePauseMs, () => reconcileCalls(services, placingGraceMs), onError('reconciliation')),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map(loop => loop.stop()))
    },
  }
}
