/**
 * One server of a storm: the real services, workers, local checkout and webhook over the real database, with a network
 * of simulated calls that die with the process, people who call and buy, and time that runs faster. Started, told and
 * killed by `storm.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#server/clock.ts'
import { createLog } from '#server/http/log.ts'
import { createLocalInbox } from '#server/mail/local-inbox.ts'
import { createLocalPayments } from '#server/payments/local/adapter.ts'
import { defaultPaymentPolicy, type PaymentPolicy } from '#server/policy.ts'
import { systemRandom } from '#server/random.ts'
import { deriveKeys } from '#server/secret.ts'
import { createCallControl } from '#server/services/calls/control.ts'
import { reconcileCalls } from '#server/services/calls/reconcile.ts'
import type { Services } from '#server/services/context.ts'
import { reconcileEverything } from '#server/services/reconcile-report.ts'
import { readTariff } from '#server/tariff-file.ts'
import type { CarrierEvent } from '#server/telephony/port.ts'
import { startWorkers, workerPauses } from '#server/workers.ts'
import { createStormBuyers } from './storm-buyers.ts'
import { dearNumbers, stormNumbers } from './storm-callers.ts'
import { type Chance, createChance } from './storm-chance.ts'
import { openPlace, type Place } from './storm-database.ts'
import { createLivingNetwork } from './storm-network.ts'
import { createStormWebhook } from './storm-webhook.ts'
import { widePolicy } from './wide-policy.ts'

export interface StormServerOptions {
  readonly place: Place
  readonly nodeId: string
  readonly seed: number
  /** When the storm began, in real milliseconds since the epoch. */
  readonly beganAtMs: number
  /** How many times faster than real time its clock runs. */
  readonly speed: number
  /** How many people try to call at the same time. */
  readonly lanes: number
}

/** Begin nothing more; once everything is settled, stop. */
export interface StormOrder {
  readonly kind: 'finish'
}

export type StormNews =
  | { readonly kind: 'ready' | 'placed' }
  /** To call, for want of credits. */
  | { readonly kind: 'refused' }
  /** A request was made to the webhook. */
  | { readonly kind: 'delivered'; readonly isAgain: boolean }
  /** The server has taken the end of a call, of which so much was talked. */
  | { readonly kind: 'ended'; readonly callId: string; readonly answeredMs: number | null }
  /** What the reconciliation with the provider found at the end. */
  | { readonly kind: 'reconciled'; readonly differences: readonly string[] }

const options = JSON.parse(process.argv[2] ?? '') as StormServerOptions
const { speed } = options
const chance = createChance(options.seed)
const clock = createFastClock(options)
const db = await openPlace(options.place)
const log = createLog('silent')
const keys = deriveKeys('a secret that only the tests know, and that is long enough')
const network = createLivingNetwork(clock, event => void carry(event))
const webhook = createStormWebhook({ db, clock, secret: keys.payments, chance: chance.fork() }, isAgain =>
  tell({ kind: 'delivered', isAgain }),
)
const publicUrl = 'http://localhost'
const local = createLocalPayments({
  db,
  clock,
  random: systemRandom,
  secret: keys.payments,
  publicUrl,
  deliver: webhook.deliver,
})
const oftenEnough = { perHour: 1000, perDay: 1000 }
const paymentPolicy: PaymentPolicy = {
  ...defaultPaymentPolicy,
  checkoutsPerHour: 1_000_000,
  // So that some have to wait for a review.
  reviewAboveMicroUsd: 100_000_000,
  autoTopUp: {
    tiers: { never_paid: oftenEnough, newly_paid: oftenEnough, established: oftenEnough },
    failuresUntilPause: 2,
  },
}
const services: Services = {
  db,
  clock,
  random: systemRandom,
  keys,
  tariff: readTariff(),
  policy: widePolicy({ concurrentCalls: 2 }),
  paymentPolicy,
  telephony: network,
  payments: local,
  notifier: { balance: () => undefined, call: () => undefined, callError: () => undefined },
  log,
  publicUrl,
  nodeId: options.nodeId,
  accessTokenSeconds: 900,
}
const control = createCallControl(services)
let finishing = false
let finished = false

await webhook.open(services)
await reconcileCalls(services, 0)
const workers = startWorkers({
  services,
  mailer: createLocalInbox(db, clock),
  liveCallIds: () => network.live(),
  log,
  pauses: {
    meter: workerPauses.meter,
    jobs: workerPauses.jobs,
    heartbeat: workerPauses.heartbeat / speed,
    reconcile: workerPauses.reconcile / speed,
  },
})
local.start()
const limits = setInterval(() => network.enforceLimits(), 10)
const people = (await db.query<{ id: string }>('select id from app_user order by email')).map(row => row.id)
const buyers = createStormBuyers(services, local, people)

process.on('message', (order: StormOrder) => {
  finishing = order.kind === 'finish'
})
// The storm's own process is gone.
process.on('disconnect', () => process.exit(finished ? 0 : 1))
tell({ kind: 'ready' })
await Promise.all([
  ...Array.from({ length: options.lanes }, () => callAgainAndAgain(chance.fork())),
  ...[buyers.goOn, webhook.tellAgain, webhook.tellAgain].map(act => actAgainAndAgain(act, chance.fork())),
])
await untilAllSettled()
const { differences } = await reconcileEverything(services)
tell({ kind: 'reconciled', differences: differences.map(({ words }) => words) })
clearInterval(limits)
await local.stop()
await workers.stop()
await webhook.close()
await db.close()
finished = true
process.disconnect()

async function callAgainAndAgain(luck: Chance): Promise<void> {
  while (!finishing) {
    const userId = luck.pick(people)
    const to = luck.pick(luck.happens(0.5) ? stormNumbers : dearNumbers)
    const placement = await control.place({ userId, to, callerId: undefined })
    if (placement.kind === 'refuse') {
      if (placement.code === 'no_credits') {
        tell({ kind: 'refused' })
        if (luck.happens(0.3)) await buyers.buy(userId, luck)
      }
      await pass(luck.upTo(20_000))
      continue
    }
    const { callId, limitMs } = placement
    tell({ kind: 'placed' })
    network.connect(callId, limitMs)
    await pass(luck.upTo(5000))
    network.ring(callId)
    await pass(luck.upTo(10_000))
    if (luck.happens(0.9)) {
      network.answer(callId)
      await pass(luck.upTo(luck.happens(0.3) ? 400_000 : 90_000))
    }
    network.end(callId, luck.pick(['caller_hung_up', 'callee_hung_up', 'connection_lost']))
  }
}

async function actAgainAndAgain(act: (luck: Chance) => Promise<void>, luck: Chance): Promise<void> {
  while (!finishing) {
    await act(luck)
    await pass(luck.upTo(2000))
  }
}

/** The network reports: now and then late, twice at once, or never. */
async function carry(event: CarrierEvent): Promise<void> {
  if (chance.happens(0.05)) return
  if (chance.happens(0.1)) await pass(chance.upTo(20_000))
  const times = chance.happens(0.2) ? 2 : 1
  await Promise.all(Array.from({ length: times }, () => control.report(event)))
  if (event.kind === 'ended') tell({ kind: 'ended', callId: event.callId, answeredMs: event.answeredMs })
}

/** No call is live, no event on its way, and nothing paid, refunded or earned that the other side has not heard of. */
async function untilAllSettled(): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ open: number }>(
      `select ((select count(*) from call where state <> 'ended')
        + (select count(*) from local_event where delivered_at is null)
        + (select count(*) from payment where state = 'open' and kind = 'auto_topup')
        + (select count(*) from refund where state = 'pending')
        + (select count(*) from referral where due_at is not null))::int as open`,
    )
    if (row?.open === 0) return
    await sleep(100)
  }
}

/** So much time of the storm's clock. */
function pass(ms: number): Promise<void> {
  return sleep(ms / speed)
}

function tell(news: StormNews): void {
  if (process.connected) process.send?.(news)
}

function createFastClock({ beganAtMs, speed: factor }: StormServerOptions): Clock {
  const passedMs = () => Math.round((Date.now() - beganAtMs) * factor)
  return { now: () => new Date(beganAtMs + passedMs()), monotonicMs: passedMs }
}
