import { billingFilter } from '#lib/api/billing.ts'
import { runRetention } from '#server/accounts/retention/retention.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { listCallerIds } from '#server/calls/caller-ids/caller-ids.ts'
import { carrierBooks, createCallControl } from '#server/calls/carrier/control.ts'
import { inquireAboutCalls } from '#server/calls/carrier/poll-carrier.ts'
import { sweepCalls } from '#server/calls/carrier/sweep.ts'
import { listCalls } from '#server/calls/history/history.ts'
import { skipWhileClockLeapt } from '#server/calls/metering/clock-leap.ts'
import { enforceCarrierCalls } from '#server/calls/metering/enforce-carrier-calls.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { findSpending } from '#server/calls/placing/spending.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/port.ts'
import { sessionsOver } from '#server/identity/sessions-over.ts'
import { findUser } from '#server/identity/users.ts'
import { startDueJobs } from '#server/jobs/run.ts'
import { listBilling } from '#server/ledger/billing.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { sweepCounters } from '#server/limits/counters.ts'
import { createLocalInbox } from '#server/mail/local-inbox.ts'
import { readFacts } from '#server/observability/facts.ts'
import { runAutoTopUps } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { reconcileCheckouts } from '#server/payments/reconcile-checkouts.ts'
import { repeatRefunds } from '#server/payments/refunds/refund-request.ts'
import { findCallDifferences } from '#server/reconciliation/reconcile-report.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import { endLiveCalls } from '#server/spending/live-calls.ts'
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
  await enforceCarrierCalls(shared)
  await inquireAboutCalls(shared)
  const legs = await liveLegs(world.db)
  const talking = new Set([...legs].slice(1))
  await sweepCalls({
    ...shared,
    telephony: { ...shared.telephony, listLive: async () => ({ legs, answeredLegs: talking }) },
  })
  await db.transaction(tx => endLiveCalls(tx, caller.id, 'call_blocked'))
  await enforceCarrierCalls(shared)
  await carrierBooks(db).liveCallOf('CALIVE1')

  await findUser(db, user.id)
  await listCalls(db, user.id, {})
  await listCalls(db, user.id, { outcome: 'talked' })
  await listCalls(db, user.id, { who: '+1212' })
  await listTransfers(db, user.id, {}, world.clock.now())
  for (const show of billingFilter.options) await listBilling(db, user.id, { show }, world.clock.now())
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
