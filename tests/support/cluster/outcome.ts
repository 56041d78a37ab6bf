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
  readonly rate: number
  /** Net micro-dollars charged according to the ledger. */
  readonly charged: number
}

const settleWithinMs = 60_000

/**
 * Invariants after any fault in the cluster: no request was lost, no confirmed contact is missing, the books are
 * balanced, and every call was charged for exactly the time that the carrier reports.
 * @param hurried polls the carrier at once about unconfirmed ends, instead of waiting until they are due
 * @returns the number of charged calls
 */
export async function expectNothingLost(
  cluster: Cluster,
  load: Load,
  { hurried }: { readonly hurried: boolean },
): Promise<number> {
  const { db } = cluster.world
  expect(load.failures).toEqual([])
  // Makes all unconfirmed ends due for polling.
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
  // All requests to the carrier must have followed its documentation.
  expect((await cluster.provider<{ faults: string[] }>('GET', 'state')).faults).toEqual([])
  const { calls: legs } = await cluster.provider<{ calls: Leg[] }>('GET', 'calls')
  const byLeg = new Map(calls.map(call => [call.carrier_leg, call]))
  const wrong: object[] = []
  let charged = 0
  for (const leg of legs) {
    if (leg.parent_call_sid === null) continue
    const call = byLeg.get(leg.parent_call_sid)
    const seconds = Number(leg.duration)
    // Durations are whole seconds: an answered call of 0 s lasted less than half a second, and costs its first
    // minute.
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

/** Waits until all calls are settled. Unconfirmed ends are polled after 20 s. */
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
