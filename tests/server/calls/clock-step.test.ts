import { beforeEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import type { CallRow } from '#server/calls/rows.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import type { Services } from '#server/context.ts'
import { keepForFile } from '#support/file-world.ts'
import { createLivingNetwork, type LivingNetwork } from '#support/storm-network.ts'
import { createWorld } from '#support/world.ts'

/** The wall clock is set in a call, and nothing of what it costs changes (REL-16). */

const stepMs = 600_000

let services: Services
let network: LivingNetwork
let offsetMs: number
const world = keepForFile(await createWorld())
beforeEach(() => {
  offsetMs = 0
  const clock = {
    now: () => new Date(world.clock.now().getTime() + offsetMs),
    monotonicMs: () => world.clock.monotonicMs(),
  }
  const reports: Promise<void>[] = []
  network = createLivingNetwork(clock, event => {
    reports.push(createCallControl(services).report(event))
  })
  services = { ...world.services, clock, telephony: network }
})

/** An answered call of $0.02 a minute. */
async function connect(): Promise<string> {
  const { id: userId } = await world.addUser({ credit: 5 })
  const placed = await createCallControl(services).place({ userId, to: '+12125550100', callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.message)
  network.connect(placed.callId, placed.limitMs)
  network.answer(placed.callId)
  await expect.poll(() => read(placed.callId)).toMatchObject({ state: 'answered' })
  return placed.callId
}

const read = async (callId: string): Promise<CallRow | undefined> =>
  (await world.db.query<CallRow>('select * from call where id = $1', [callId]))[0]

/** So much time passes, and the process lives as it does: a heartbeat every 5 s, and a meter. */
async function live(callId: string, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5000) {
    world.clock.advance(5000)
    await recordHeartbeats(services, [callId])
    await chargeDueMinutes(services)
  }
}

for (const [name, step] of [
  ['forward', stepMs],
  ['back', -stepMs],
] as const) {
  test(`a crashed call costs what it lasted, with the clock set ${name} by 10 minutes in it`, async () => {
    const callId = await connect()
    await live(callId, 50_000)
    offsetMs += step
    await live(callId, 20_000)
    network.die()
    expect(await reconcileCalls(services, 0)).toBe(1)
    expect(await read(callId)).toMatchObject({ answered_ms: 70_000, minutes_charged: 2, cost: 40_000 })
  })

  test(`a call that ends by itself does so too (${name})`, async () => {
    const callId = await connect()
    await live(callId, 50_000)
    offsetMs += step
    await live(callId, 20_000)
    network.end(callId, 'caller_hung_up')
    await expect.poll(() => read(callId)).toMatchObject({ state: 'ended' })
    expect(await read(callId)).toMatchObject({ answered_ms: 70_000, minutes_charged: 2, cost: 40_000 })
  })
}

test('a call that dies before its first heartbeat lasted as long as its answer was old', async () => {
  const callId = await connect()
  offsetMs += stepMs
  network.die()
  expect(await reconcileCalls(services, 0)).toBe(1)
  expect(await read(callId)).toMatchObject({ answered_ms: 0, cost: 0 })
})
