import type { Database } from '#server/db/port.ts'
import { startDueJobs } from '#server/jobs/run.ts'
import { createLocalInbox } from '#server/mail/local-inbox.ts'
import { readFacts } from '#server/observability/facts.ts'
import { sweepCounters } from '#server/services/budget/counters.ts'
import { listCallerIds } from '#server/services/caller-ids.ts'
import { skipWhileClockLeapt } from '#server/services/calls/clock-leap.ts'
import { createCallControl } from '#server/services/calls/control.ts'
import { endLiveCalls, tendCalls } from '#server/services/calls/enforce-carrier-calls.ts'
import { recordHeartbeats } from '#server/services/calls/heartbeat.ts'
import { listCalls } from '#server/services/calls/history.ts'
import { carrierBooks } from '#server/services/calls/legs.ts'
import { chargeDueMinutes } from '#server/services/calls/meter.ts'
import { inquireAboutCalls } from '#server/services/calls/poll-carrier.ts'
import { placingGraceMs, reconcileCalls } from '#server/services/calls/reconcile.ts'
import { sweepCalls } from '#server/services/calls/sweep.ts'
import type { Services } from '#server/services/context.ts'
import { creditAccount } from '#server/services/credit-account.ts'
import { sessionsOver } from '#server/services/devices.ts'
import { runAutoTopUps } from '#server/services/payments/auto-top-up-charge.ts'
import { reconcileCheckouts } from '#server/services/payments/reconcile.ts'
import { repeatRefunds } from '#server/services/payments/refund-request.ts'
import { findCallDifferences } from '#server/services/reconcile-report.ts'
import { showReferrals } from '#server/services/referrals.ts'
import { runRetention } from '#server/services/retention/retention.ts'
import { findSpending } from '#server/services/spending.ts'
import { listTransfers } from '#server/services/transfers.ts'
import { findUser } from '#server/services/users.ts'
import type { World } from '../world.ts'
import { somebodyOf } from './history.ts'

/** Runs everything that happens for each call and in each run of the workers, once, on the given database. */
export async function doWhatIsDoneOften(world: World, db: Database): Promise<void> {
  const services: Services = { ...world.services, db }
  const user = await somebodyOf(world.db, false)
  const caller = await somebodyOf(world.db, true)
  const control = createCallControl(services)
  const place = () => control.place({ userId: user.id, to: '+12125550100', callerId: undefined })

  await creditAccount(services, {
    requestId: services.random.uuid(),
    email: user.email,
    amountMicroUsd: 5_000_000,
    reason: 'a test',
    actor: 'test',
  })
  const own = await place()
  if (own.kind === 'refuse') throw new Error(own.code)
  await control.report({ kind: 'ringing', callId: own.callId })
  await control.report({ kind: 'answered', callId: own.callId })
  // Most worker runs find little that is due.
  await chargeDueMinutes(services)
  world.clock.advance(60_001)
  await chargeDueMinutes(services)
  await leap(services)
  await recordHeartbeats(services, [own.callId])
  await reconcileCalls(services, placingGraceMs)
  await control.report({ kind: 'ended', callId: own.callId, answeredMs: 61_000, end: 'caller_hung_up' })

  const shared: Services = { ...services, telephony: { ...world.network, carriage: 'shared' } }
  await tendCalls(shared)
  await inquireAboutCalls(shared)
  const legs = await liveLegs(world.db)
  const talking = new Set([...legs].slice(1))
  await sweepCalls({
    ...shared,
    telephony: { ...shared.telephony, listLive: async () => ({ legs, answeredLegs: talking }) },
  })
  await db.transaction(tx => endLiveCalls(tx, caller.id, 'call_blocked'))
  await tendCalls(shared)
  await carrierBooks(db).liveCallOf('CALIVE1')

  await findUser(db, user.id)
  await listCalls(db, user.id, {})
  await listCalls(db, user.id, { outcome: 'talked' })
  await listCalls(db, user.id, { who: '+1212' })
  await listTransfers(db, user.id, {}, world.clock.now())
  await listCallerIds(db, user.id)
  await findSpending(services, user.id)
  await showReferrals(services, user.id)
  await sessionsOver(db, [])

  await runAutoTopUps(services)
  await reconcileCheckouts(services)
  await repeatRefunds(services)
  await startDueJobs({
    db,
    clock: world.clock,
    mailer: createLocalInbox(db, world.clock),
    payments: services.payments,
    hangUp: callId => world.network.hangUp(callId, 'already_settled'),
    onFailure: job => {
      throw new Error(`the job ${job.kind} failed`)
    },
  })
  await readFacts(db, world.clock)
  await sweepCounters(db, world.clock.now())
  await findCallDifferences(db, world.clock.now())
  await runRetention(services)
}

async function liveLegs(db: Database): Promise<ReadonlySet<string>> {
  const live = await db.query<{ leg: string }>(
    `select carrier_leg as leg from call where carrier_leg is not null and state <> 'ended'`,
  )
  return new Set(live.map(({ leg }) => leg))
}

/** A run of the meter after its clock has jumped ahead by an hour. */
async function leap(services: Services): Promise<void> {
  let leapMs = 0
  const clock = {
    now: () => new Date(services.clock.now().getTime() + leapMs),
    monotonicMs: () => services.clock.monotonicMs(),
  }
  const turn = skipWhileClockLeapt(
    { ...services, clock },
    services.log,
  )(async () => {
    throw new Error('the meter believed a clock that had leapt')
  })
  leapMs = 3600_000
  await turn()
}
