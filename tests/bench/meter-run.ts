import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { defaultCallPolicy, defaultPaymentPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import type { Database, Db } from '#server/db/port.ts'
import { createLog } from '#server/http/log.ts'
import { systemClock } from '#server/process/clock.ts'
import { startLoop } from '#server/process/loop.ts'
import { systemRandom } from '#server/process/random.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { readCosts } from '#server/tariff/costs-file.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { workerPauses } from '#server/workers.ts'
import { createSimulatedProvider } from '#support/payments-provider.ts'
import { createSimulatedNetwork } from '#support/simulated-network.ts'

/**
 * When the statements ran that charged: by the moment that they name in `transfer.created_at`, the moment
 * at which they were done. Milliseconds since 1970.
 */
export type Turns = readonly (readonly [atMs: number, doneMs: number])[]

/** Runs the server's own metering loop for so long. */
export async function runMeter(db: Database, seconds: number): Promise<Turns> {
  const turns: [number, number][] = []
  let over = false
  const timed: Db['query'] = async (sql, parameters) => {
    const [at] = parameters ?? []
    const isTurn = at instanceof Date
    // A meter that cannot keep up would go on until it has: nothing is due any more when the time is over.
    if (isTurn && over) return []
    const rows = await db.query<never>(sql, parameters)
    if (isTurn) turns.push([at.getTime(), Date.now()])
    return rows
  }
  const services = meterServices({ ...db, query: timed })
  const fail = (error: unknown) => {
    throw error
  }
  const loop = startLoop(workerPauses.meter, () => chargeDueMinutes(services), fail)
  await new Promise(resolve => setTimeout(resolve, seconds * 1000))
  over = true
  await loop.stop()
  return turns
}

/** What metering needs of the services; nobody listens to what it announces. */
export function meterServices(db: Database): Services {
  const nothing = () => undefined
  return {
    db,
    clock: systemClock,
    random: systemRandom,
    keys: deriveKeys('a secret that only the benches know, and that is long enough'),
    tariff: readTariff(),
    costs: readCosts(),
    policy: defaultCallPolicy,
    paymentPolicy: defaultPaymentPolicy,
    telephony: createSimulatedNetwork(),
    payments: createSimulatedProvider(),
    notifier: { balance: nothing, call: nothing, callError: nothing, verification: nothing },
    log: createLog('silent'),
    publicUrl: 'http://localhost:4321',
    nodeId: 'bench',
    accessTokenSeconds: 900,
  }
}
