import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { giveUpLateCredits } from './accounts/retention/clear-deleted.ts'
import { retentionPauseMs, runRetention } from './accounts/retention/retention.ts'
import { inquireAboutVerifications } from './calls/caller-ids/caller-id-inquiry.ts'
import { forgetNumber } from './calls/caller-ids/caller-ids.ts'
import { inquireAboutCalls } from './calls/carrier/poll-carrier.ts'
import { sweepCalls } from './calls/carrier/sweep.ts'
import { skipWhileClockLeapt } from './calls/metering/clock-leap.ts'
import { enforceCarrierCalls } from './calls/metering/enforce-carrier-calls.ts'
import { recordHeartbeats } from './calls/metering/heartbeat.ts'
import { chargeDueMinutes } from './calls/metering/meter.ts'
import { placingGraceMs, reconcileCalls } from './calls/settlement/reconcile-calls.ts'
import type { Services } from './context.ts'
import { sessionsOver } from './identity/sessions-over.ts'
import { type FailedJob, type JobTools, startDueJobs } from './jobs/run.ts'
import { sweepCounters } from './limits/counters.ts'
import type { Mailer } from './mail/port.ts'
import type { Tracing } from './observability/tracing.ts'
import { runAutoTopUps } from './payments/auto-top-up/auto-top-up-charge.ts'
import { mailEnvelope } from './payments/gifts/mail-envelope.ts'
import { reconcileCheckouts } from './payments/reconcile-checkouts.ts'
import { repeatRefunds } from './payments/refunds/refund-request.ts'
import { type Loop, startLoop } from './process/loop.ts'
import { stopTimes } from './process/stop-times.ts'
import type { Sockets } from './realtime/sockets.ts'
import { reconcileDaily } from './reconciliation/reconcile-daily.ts'
import { rewardReferral } from './referrals/reward.ts'

/** Pause of each loop between two turns, in milliseconds. */
export interface WorkerPauses {
  /** Max delay until a minute that has begun is charged. */
  readonly meter: number
  readonly jobs: number
  /** After a crash, calls end at their last saved heartbeat (PD-42). */
  readonly heartbeat: number
  /** Together with the silence that makes a process dead (`reconcile-calls.ts`), its calls are settled within a minute. */
  readonly reconcile: number
}

export const workerPauses: WorkerPauses = { meter: 200, jobs: 500, heartbeat: 5000, reconcile: 30_000 }

export interface WorkerTools {
  readonly services: Services
  readonly mailer: Mailer
  readonly liveCallIds: () => readonly string[]
  /** Closed when their session ends, in whichever process. */
  readonly sockets?: Pick<Sockets, 'sessions' | 'closeSessions'>
  readonly log: FastifyBaseLogger
  readonly tracing?: Tracing | undefined
  /** Shorter in simulations with accelerated time. */
  readonly pauses?: WorkerPauses
  /** Reads the database's clock after a leap of ours. Undefined: by a query. */
  readonly databaseNow?: () => Promise<Date>
}

export function startWorkers({
  services,
  mailer,
  liveCallIds,
  sockets,
  log,
  tracing,
  pauses = workerPauses,
  databaseNow,
}: WorkerTools): Loop {
  const onError = (what: string) => (error: unknown) => {
    services.observe?.({ kind: 'work_failed', work: what })
    log.error({ err: error }, `${what} failed`)
  }
  const stopping = new AbortController()
  const jobs: JobTools = {
    db: services.db,
    clock: services.clock,
    mailer,
    payments: services.payments,
    forgetNumber: number => forgetNumber(services, number),
    stopping: stopping.signal,
    hangUp: callId => services.telephony.hangUp(callId, 'already_settled'),
    rewardReferral: paymentId => rewardReferral(services, paymentId),
    mailEnvelope: paymentId => mailEnvelope(services, paymentId),
    onFailure: (job: FailedJob) => {
      services.observe?.({ kind: 'job_failed', job: job.kind, gaveUp: job.gaveUp })
      log.warn({ job }, job.gaveUp ? 'a job was given up' : 'a job failed')
    },
    ...(tracing === undefined
      ? {}
      : { trace: (kind, attempt) => tracing.span(`job ${kind}`, { 'job.kind': kind }, attempt) }),
  }
  const unlessClockLeapt = skipWhileClockLeapt(services, log, databaseNow)
  const mails = new Set<Promise<unknown>>()
  const runJobs = async () => {
    const started = await startDueJobs(jobs)
    const over = started.mails.catch(onError('running jobs')).finally(() => mails.delete(over))
    mails.add(over)
  }
  const loops = [
    startLoop(
      pauses.meter,
      unlessClockLeapt(() => chargeDueMinutes(services)),
      onError('metering'),
    ),
    startLoop(pauses.jobs, runJobs, onError('running jobs')),
    startLoop(
      pauses.jobs,
      unlessClockLeapt(() => runAutoTopUps(services)),
      onError('auto top-up'),
    ),
    startLoop(pauses.heartbeat, () => recordHeartbeats(services, liveCallIds()), onError('heartbeats')),
    startLoop(
      pauses.heartbeat,
      () => enforceCarrierCalls(services),
      onError('enforcing limits on carrier calls'),
    ),
    startLoop(pauses.heartbeat, () => sweepCalls(services), onError('listing calls')),
    startLoop(pauses.heartbeat, () => inquireAboutCalls(services), onError('asking about calls')),
    startLoop(
      pauses.reconcile,
      () => inquireAboutVerifications(services),
      onError('asking about verifications'),
    ),
    startLoop(pauses.reconcile, () => reconcileCalls(services, placingGraceMs), onError('reconciliation')),
    startLoop(pauses.reconcile, () => reconcileCheckouts(services), onError('reconciliation of checkouts')),
    startLoop(pauses.reconcile, () => repeatRefunds(services), onError('repeating refunds')),
    startLoop(
      pauses.reconcile,
      () => sweepCounters(services.db, services.clock.now()),
      onError('sweeping counters'),
    ),
    startLoop(
      pauses.reconcile,
      () => reconcileDaily(services, giveUpLateCredits),
      onError('daily reconciliation'),
    ),
    startLoop(retentionPauseMs, () => runRetention(services), onError('retention')),
  ]
  if (sockets !== undefined) {
    const close = async () => sockets.closeSessions(await sessionsOver(services.db, sockets.sessions()))
    loops.push(startLoop(pauses.heartbeat, close, onError('closing sockets')))
  }
  return {
    stop: async () => {
      const cutOff = setTimeout(() => stopping.abort(), stopTimes.jobs)
      const over = Promise.all(loops.map(loop => loop.stop()))
        .then(() => Promise.all(mails))
        .then(() => true)
      const inTime = await Promise.race([over, sleep(stopTimes.work, false, { ref: false })])
      clearTimeout(cutOff)
      if (!inTime)
        log.warn('the process stops before all background work is done: the next process continues it')
    },
  }
}
