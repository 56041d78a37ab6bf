/**
 * A process that settles what its predecessor left, carries calls on a real database, and dies meanwhile: it kills
 * itself (SIGKILL) at a given statement, or its parent kills it at any moment. Takes `FailpointProcessOptions` as its
 * argument. Exits with 3 when it finds the predecessor's data inconsistent.
 */

import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultPaymentPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { createLog } from '#server/http/log.ts'
import { systemRandom } from '#server/process/random.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { readCosts } from '#server/tariff/costs-file.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { findBreaches } from './books.ts'
import { failAt } from './failpoint.ts'
import { createStoppedClock } from './movable-clock.ts'
import { createSimulatedProvider } from './payments-provider.ts'
import { addCaller, stormNumbers } from './storm-callers.ts'
import { openPlace, type Place } from './storm-database.ts'
import { createLivingNetwork } from './storm-network.ts'
import { widePolicy } from './wide-policy.ts'

export interface FailpointProcessOptions {
  readonly place: Place
  readonly nodeId: string
  /** Unique among the processes on this database. */
  readonly name: string
  readonly startsAtMs: number
  /** The statement at which it kills itself, and before or after it; undefined: the parent kills it. */
  readonly death: { readonly at: number; readonly where: 'before' | 'after' } | undefined
}

const { place, nodeId, name, startsAtMs, death } = JSON.parse(
  process.argv[2] ?? '',
) as FailpointProcessOptions
const clock = createStoppedClock(new Date(startsAtMs))
const whole = await openPlace(place)
const killMe = () => process.kill(process.pid, 'SIGKILL')
const db = death === undefined ? whole : failAt(whole, death.at, death.where, killMe).db
const network = createLivingNetwork(clock, () => undefined)
const services: Services = {
  db,
  clock,
  random: systemRandom,
  keys: deriveKeys('a secret that only the tests know, and that is long enough'),
  tariff: readTariff(),
  costs: readCosts(),
  policy: widePolicy(),
  paymentPolicy: defaultPaymentPolicy,
  telephony: network,
  payments: createSimulatedProvider(),
  notifier: {
    balance: () => undefined,
    call: () => undefined,
    callError: () => undefined,
    verification: () => undefined,
  },
  log: createLog('silent'),
  publicUrl: 'http://localhost',
  nodeId,
  accessTokenSeconds: 900,
}

process.send?.('going')
await reconcileCalls(services, 0)
const breaches = await findBreaches(whole)
const [open] = await whole.query<{ live: number }>(
  `select count(*)::int as live from call where state <> 'ended' and node = $1`,
  [nodeId],
)
if (breaches.length > 0 || open?.live !== 0) {
  console.error(JSON.stringify({ breaches, open }))
  process.exit(3)
}

const control = createCallControl(services)
for (let calls = 0; ; calls += 1) {
  const who = await addCaller({ ...services, db: whole }, `${name}-${calls}`, { cents: 30, free: false })
  const to = stormNumbers[calls % stormNumbers.length] ?? stormNumbers[0]
  const placement = await control.place({ userId: who.id, to, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  const { callId } = placement
  network.connect(callId, placement.limitMs)
  network.answer(callId)
  await control.report({ kind: 'answered', callId })
  for (let minute = 0; minute < 2 && network.live().length > 0; minute += 1) {
    clock.advance(60_001)
    await chargeDueMinutes(services)
    await recordHeartbeats(services, network.live())
  }
  network.end(callId, 'caller_hung_up')
  const ended = await network.inspect(callId)
  if (ended.kind !== 'ended') throw new Error('a simulated call did not end')
  await control.report({ ...ended, kind: 'ended', callId })
}
