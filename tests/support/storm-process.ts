/**
 * One server of a storm: real services, workers, local checkout and webhook on the real database. Its network of
 * simulated calls dies with the process, simulated users call and buy, and time runs faster. Controlled and killed by
 * `storm.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { refundDays } from '#lib/money/refunds.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultPaymentPolicy, type PaymentPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { createLog } from '#server/http/log.ts'
import { createLocalInbox } from '#server/mail/local-inbox.ts'
import { createLocalPayments } from '#server/payment-provider/local/adapter.ts'
import type { Clock } from '#server/process/clock.ts'
import { systemRandom } from '#server/process/random.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { reconcileEverything } from '#server/reconciliation/reconcile-report.ts'
import { readCosts } from '#server/tariff/costs-file.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import type { CarrierEvent } from '#server/telephony/port.ts'
import { startWorkers, workerPauses } from '#server/workers.ts'
import { createStormBuyers } from './storm-buyers.ts'
import { expensiveNumbers, stormNumbers } from './storm-callers.ts'
import { type Chance, createChance } from './storm-chance.ts'
import { openPlace, type Place } from './storm-database.ts'
import { createLivingNetwork } from './storm-network.ts'
import { createStormWebhook } from './storm-webhook.ts'
import { widePolicy } from './wide-policy.ts'

export interface StormServerOptions {
  readonly place: Place
  readonly nodeId: string
  readonly seed: number
  /** The storm's start, in real milliseconds since the epoch. */
  readonly beganAtMs: number
  /** Factor by which its clock runs faster than real time. */
  readonly speed: number
  readonly lanes: number
}

/** Starts nothing new, and stops once everything is settled. */
export interface StormOrder {
  readonly kind: 'finish'
}

export type StormMessage =
  | { readonly kind: 'ready' | 'placed' }
  /** A call was rejected because the balance was too low. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'delivered'; readonly isAgain: boolean }
  /** The server has processed the end of a call. `answeredMs`: time talked; null when unanswered. */
  | { readonly kind: 'ended'; readonly callId: string; readonly answeredMs: number | null }
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
  send({ kind: 'delivered', isAgain }),
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
  // Low, so that some payments are held for review.
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
  costs: readCosts(),
  policy: widePolicy({ concurrentCalls: 2 }),
  paymentPolicy,
  telephony: network,
  payments: local,
  notifier: {
    balance: () => undefined,
    call: () => undefined,
    callError: () => undefined,
    verification: () => undefined,
  },
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
process.on('disconnect', () => process.exit(finished ? 0 : 1))
send({ kind: 'ready' })
await Promise.all([
  ...Array.from({ length: options.lanes }, () => callAgainAndAgain(chance.fork())),
  ...[buyers.goOn, webhook.deliverAgain, webhook.deliverAgain].map(act =>
    actAgainAndAgain(act, chance.fork()),
  ),
])
await untilAllSettled()
// Referral rewards are due after the refund period.
clock.leap((refundDays + 1) * 24 * 3600 * 1000)
await untilAllSettled()
const { differences } = await reconcileEverything(services)
send({ kind: 'reconciled', differences: differences.map(({ text }) => text) })
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
    const to = luck.pick(luck.happens(0.5) ? stormNumbers : expensiveNumbers)
    const placement = await control.place({ userId, to, callerId: undefined })
    if (placement.kind === 'refuse') {
      if (placement.code === 'no_credits') {
        send({ kind: 'refused' })
        if (luck.happens(0.3)) await buyers.buy(userId, luck)
      }
      await pass(luck.upTo(20_000))
      continue
    }
    const { callId, limitMs } = placement
    send({ kind: 'placed' })
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

/** The network's reports are sometimes late, duplicated or lost. */
async function carry(event: CarrierEvent): Promise<void> {
  if (chance.happens(0.05)) return
  if (chance.happens(0.1)) await pass(chance.upTo(20_000))
  const times = chance.happens(0.2) ? 2 : 1
  await Promise.all(Array.from({ length: times }, () => control.report(event)))
  if (event.kind === 'ended') send({ kind: 'ended', callId: event.callId, answeredMs: event.answeredMs })
}

/**
 * Waits until no call is live, no event is pending, payments and refunds agree on both sides, and no reward is due.
 */
async function untilAllSettled(): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ open: number }>(
      `select ((select count(*) from call where state <> 'ended')
        + (select count(*) from local_event where delivered_at is null)
        + (select count(*) from payment where state = 'open' and kind = 'auto_topup')
        + (select count(*) from refund where state = 'pending')
        + (select count(*) from job where kind = 'referral_reward' and run_at <= $1))::int as open`,
      [clock.now()],
    )
    if (row?.open === 0) return
    await sleep(100)
  }
}

/** Waits for a time by the storm's clock. */
function pass(ms: number): Promise<void> {
  return sleep(ms / speed)
}

function send(message: StormMessage): void {
  if (process.connected) process.send?.(message)
}

function createFastClock({
  beganAtMs,
  speed: factor,
}: StormServerOptions): Clock & { leap(ms: number): void } {
  let leaptMs = 0
  const passedMs = () => Math.round((Date.now() - beganAtMs) * factor) + leaptMs
  return {
    now: () => new Date(beganAtMs + passedMs()),
    monotonicMs: passedMs,
    leap: ms => {
      leaptMs += ms
    },
  }
}
