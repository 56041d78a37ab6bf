import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { findBreaches } from '../books.ts'
import type { Cluster } from './cluster.ts'
import type { Load } from './load.ts'

interface Leg {
  readonly sid: string
  readonly parent_call_sid: string | null
  readonly status: string
  readonly start_time: string | null
  /** Whole seconds; null while it lasts. */
  readonly duration: string | null
}

interface SettledCall {
  readonly id: string
  readonly carrier_leg: string
  readonly state: string
  /** Micro-dollars a minute. */
  readonly rate: number
  /** Micro-dollars that the ledger holds for it. */
  readonly charged: number
}

const settleWithinMs = 60_000

/**
 * What must hold after whatever was done to the cluster: no request lost, no contact that was confirmed missing, the books in
 * order, and every call charged for exactly what the provider says was talked.
 * @param hurried does not wait for the servers to ask about calls whose end nobody told
 * @returns how many calls were charged
 */
export async function expectNothingLost(
  cluster: Cluster,
  load: Load,
  { hurried }: { readonly hurried: boolean },
): Promise<number> {
  const { db } = cluster.world
  expect(load.failures).toEqual([])
  // As if the calls that nobody told the end of were as old as they have to be to be asked about.
  if (hurried) await db.query(`update call set inquire_at = $1 where state <> 'ended'`, [new Date()])
  await everythingSettled(cluster)
  expect(await findBreaches(db)).toEqual([])

  const calls = await db.query<SettledCall>(
    `select id, carrier_leg, state, rate, (
       select coalesce(sum(case when debit.kind = 'customer' then amount when credit.kind = 'customer' then -amount end), 0)::bigint
       from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
       where call_id = call.id) as charged
     from call`,
  )
  // Everything that was asked of the provider was as it documents it, whatever was going on.
  expect((await cluster.provider<{ faults: string[] }>('GET', 'state')).faults).toEqual([])
  const { calls: legs } = await cluster.provider<{ calls: Leg[] }>('GET', 'calls')
  const byLeg = new Map(calls.map(call => [call.carrier_leg, call]))
  const wrong: object[] = []
  let charged = 0
  for (const leg of legs) {
    if (leg.parent_call_sid === null) continue
    const call = byLeg.get(leg.parent_call_sid)
    const seconds = Number(leg.duration)
    // Rounded to whole seconds: an answered call of 0 lasted for less than half of one, and costs its minute.
    const answered = leg.start_time !== null && leg.status === 'completed'
    const minutes = answered ? Math.ceil(Math.max(seconds, 1) / 60) : 0
    if (call === undefined || call.charged !== minutes * call.rate) wrong.push({ leg, call })
    if (call !== undefined && call.charged > 0) charged += 1
  }
  expect(wrong).toEqual([])
  const rang = new Set(legs.map(leg => leg.parent_call_sid))
  expect(calls.filter(call => !rang.has(call.carrier_leg) && call.charged > 0)).toEqual([])

  for (const [userId, numbers] of load.saved) {
    const rows = await db.query<{ phone_number: string }>(
      'select phone_number from contact where user_id = $1',
      [userId],
    )
    const kept = new Set(rows.map(row => row.phone_number))
    expect([...numbers].filter(number => !kept.has(number))).toEqual([])
  }
  return charged
}

/** A call whose end was told to nobody is asked about when it is 20 s old. */
async function everythingSettled({ world, servers }: Cluster): Promise<void> {
  const until = performance.now() + settleWithinMs
  for (;;) {
    const live = await world.db.query("select id, state, carrier_leg from call where state <> 'ended'")
    if (live.length === 0) return
    if (performance.now() > until) {
      throw new Error(
        `not settled: ${JSON.stringify(live)}\n${servers.map(server => server.output()).join('\n')}`,
      )
    }
    await sleep(500)
  }
}
