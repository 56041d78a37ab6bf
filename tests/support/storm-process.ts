/**
 * One server of a storm: the real services and workers over the real database, with a network of simulated calls
 * that die with the process, callers who use it, and time that runs faster. Started, told and killed by `storm.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#server/clock.ts'
import { createLog } from '#server/http/log.ts'
import { createLocalInbox } from '#server/mail/local-inbox.ts'
import { defaultPaymentPolicy } from '#server/policy.ts'
import { systemRandom } from '#server/random.ts'
import { deriveKeys } from '#server/secret.ts'
import { createCallControl } from '#server/services/calls/control.ts'
import { reconcileCalls } from '#server/services/calls/reconcile.ts'
import type { Services } from '#server/services/context.ts'
import { post } from '#server/services/ledger.ts'
import { readTariff } from '#server/tariff-file.ts'
import type { CarrierEvent } from '#server/telephony/port.ts'
import { startWorkers, workerPauses } from '#server/workers.ts'
import { createSimulatedProvider } from './payments-provider.ts'
import { stormNumbers } from './storm-callers.ts'
import { type Chance, createChance } from './storm-chance.ts'
import { openPlace, type Place } from './storm-database.ts'
import { createLivingNetwork } from './storm-network.ts'
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

export type StormOrder =
  | { readonly kind: 'credit'; readonly key: string; readonly accountId: number; readonly microUsd: number }
  /** Place no more calls; once every call is settled, stop. */
  | { readonly kind: 'finish' }

export type StormNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'placed' }
  /** For want of credits. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'credited'; readonly key: string; readonly made: number }

const options = JSON.parse(process.argv[2] ?? '') as StormServerOptions
const { speed } = options
const chance = createChance(options.seed)
const clock = createFastClock(options)
const db = await openPlace(options.place)
const log = createLog('silent')
const network = createLivingNetwork(clock, event => void carry(event))
const services: Services = {
  db,
  clock,
  random: systemRandom,
  keys: deriveKeys('a secret that only the tests know, and that is long enough'),
  tariff: readTariff(),
  policy: widePolicy({ concurrentCalls: 2 }),
  paymentPolicy: defaultPaymentPolicy,
  telephony: network,
  payments: createSimulatedProvider(),
  notifier: { balance: () => undefined, call: () => undefined, callError: () => undefined },
  log,
  publicUrl: 'http://localhost',
  nodeId: options.nodeId,
  accessTokenSeconds: 900,
}
const control = createCallControl(services)
let finishing = false
let finished = false

await reconcileCalls(services, 0)
const workers = startWorkers({
  services,
  mailer: createLocalInbox(db, clock),
  liveCallIds: () => network.live(),
  log,
  pauses: {
    meter: workerPauses.meter,
    jobs: 60_000,
    heartbeat: workerPauses.heartbeat / speed,
    reconcile: workerPauses.reconcile / speed,
  },
})
const limits = setInterval(() => network.enforceLimits(), 10)
const callers = (await db.query<{ id: string }>('select id from app_user order by email')).map(row => row.id)

process.on('message', (order: StormOrder) => {
  if (order.kind === 'finish') finishing = true
  else void credit(order)
})
// The storm's own process is gone.
process.on('disconnect', () => process.exit(finished ? 0 : 1))
tell({ kind: 'ready' })
await Promise.all(Array.from({ length: options.lanes }, () => callAgainAndAgain(chance.fork())))
await untilAllSettled()
clearInterval(limits)
await workers.stop()
await db.close()
finished = true
process.disconnect()

async function callAgainAndAgain(luck: Chance): Promise<void> {
  while (!finishing) {
    const userId = luck.pick(callers)
    const placement = await control.place({ userId, to: luck.pick(stormNumbers), callerId: undefined })
    if (placement.kind === 'refuse') {
      if (placement.code === 'no_credits') tell({ kind: 'refused' })
      await sleep(luck.upTo(60))
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

/** The network reports: now and then late, twice at once, or never. */
async function carry(event: CarrierEvent): Promise<void> {
  if (chance.happens(0.05)) return
  if (chance.happens(0.1)) await pass(chance.upTo(20_000))
  const times = chance.happens(0.2) ? 2 : 1
  await Promise.all(Array.from({ length: times }, () => control.report(event)))
}

/** One payment, told twice at once. */
async function credit({ key, accountId, microUsd }: Extract<StormOrder, { kind: 'credit' }>): Promise<void> {
  const transfer = { key, debit: 'payments', credit: accountId, amountMicroUsd: microUsd } as const
  const made = await Promise.all(
    [1, 2].map(() => db.transaction(tx => post(tx, { ...transfer, at: clock.now() }))),
  )
  tell({ kind: 'credited', key, made: made.filter(Boolean).length })
}

async function untilAllSettled(): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ live: number }>(
      `select count(*)::int as live from call where state <> 'ended'`,
    )
    if (row?.live === 0) return
    await sleep(100)
  }
}

/** So much time of the storm's clock. */
function pass(ms: number): Promise<void> {
  return sleep(ms / speed)
}

function tell(news: StormNews): void {
  process.send?.(news)
}

function createFastClock({ beganAtMs, speed: factor }: StormServerOptions): Clock {
  const passedMs = () => Math.round((Date.now() - beganAtMs) * factor)
  return { now: () => new Date(beganAtMs + passedMs()), monotonicMs: passedMs }
}
