import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { post } from '#server/ledger/ledger.ts'
import { keepForFile } from '#support/file-world.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'
import { american, caller, connect, createProcess, live, place, readCall } from './server-processes.ts'

/** 0.19 USD a minute. */
const pakistani = '+923001234567'

/** What the networks said of ended calls, on its way into the books. */
const reports: Promise<void>[] = []
const world = keepForFile(await createWorld())
const here = createProcess(world, 'here', reports)
const there = createProcess(world, 'there', reports)
afterEach(() => Promise.all(reports.splice(0)))

test('a minute that another process could not charge ends the call where it is carried', async () => {
  const who = await caller(world, 4)
  const callId = await connect(there, who)
  const at = world.clock.now()
  const take = { debit: who.accountId, credit: 'adjustments', amountMicroUsd: 20_000, at } as const
  await post(world.db, { ...take, key: `test:${callId}` })
  await live(world, there, 60_001)
  await chargeDueMinutes(here.services)
  expect(here.hungUp.map(call => call.callId)).not.toContain(callId)
  expect(there.network.live()).toEqual([callId])
  await recordHeartbeats(there.services, there.network.live())
  expect(there.hungUp).toContainEqual({ callId, why: 'no_credits' })
  await expect.poll(async () => (await readCall(world, callId)).state).toBe('ended')
  expect(await readCall(world, callId)).toMatchObject({ cost: 20_000, outcome: 'limit' })
})

test('money that comes after a minute could not be paid charges nothing more before the call is hung up', async () => {
  const who = await caller(world, 10)
  const callId = await connect(there, who)
  const at = world.clock.now()
  const take = { debit: who.accountId, credit: 'adjustments', amountMicroUsd: 80_000, at } as const
  await post(world.db, { ...take, key: `test:${callId}` })
  world.clock.advance(60_001)
  await chargeDueMinutes(here.services)
  const gift = { debit: 'payments', credit: who.accountId, amountMicroUsd: 5_000_000, at } as const
  await post(world.db, { ...gift, key: `payment:${callId}` })
  world.clock.advance(60_000)
  await chargeDueMinutes(here.services)
  there.network.end(callId, 'caller_hung_up')
  await expect.poll(async () => (await readCall(world, callId)).state).toBe('ended')
  expect(await readCall(world, callId)).toMatchObject({ cost: 20_000, answered_ms: 60_000 })
})

test('an answer that was never reported is found by reconciliation, and its minutes are charged', async () => {
  const who = await caller(world)
  const callId = await place(here, who)
  here.network.answer(callId)
  world.clock.advance(30_000)
  await reconcileCalls(here.services, placingGraceMs)
  const { state, answered_at: answeredAt } = await readCall(world, callId)
  expect(state).toBe('answered')
  expect(world.clock.now().getTime() - (answeredAt?.getTime() ?? 0)).toBe(30_000)
  world.clock.advance(30_001)
  await chargeDueMinutes(here.services)
  const [meter] = await world.db.query('select minutes from call_meter where call_id = $1', [callId])
  expect(meter).toEqual({ minutes: 2 })
  here.network.end(callId, 'caller_hung_up')
  await expect.poll(async () => (await readCall(world, callId)).cost).toBe(40_000)
})

test('minutes that are too expensive take nothing from cheaper ones that come due after them', async () => {
  const who = await caller(world, 84)
  const several = createProcess(world, 'several', reports)
  const services = { ...several.services, policy: widePolicy({ concurrentCalls: 4, longestCallMinutes: 2 }) }
  const control = createCallControl(services)
  const ids: string[] = []
  // 0.19 and 0.02 USD a minute, twice. Of 0.84, one minute of each leaves 0.42, of which 0.36 is withdrawn.
  for (const to of [pakistani, american, pakistani, american]) {
    const placement = await control.place({ userId: who.id, to, callerId: undefined })
    if (placement.kind === 'refuse') throw new Error(placement.code)
    several.network.connect(placement.callId, placement.limitMs)
    several.network.answer(placement.callId)
    await control.report({ kind: 'answered', callId: placement.callId })
    ids.push(placement.callId)
    world.clock.advance(1)
  }
  const at = world.clock.now()
  const take = { debit: who.accountId, credit: 'adjustments', amountMicroUsd: 360_000, at } as const
  await post(world.db, { ...take, key: `test:${who.id}` })
  world.clock.advance(60_001)
  await chargeDueMinutes(services)
  const meters = await world.db.query<{ call_id: string; minutes: number; state: string }>(
    'select call_id, minutes, state from call_meter where account_id = $1',
    [who.accountId],
  )
  const meterOf = (callId: string | undefined) => meters.find(meter => meter.call_id === callId)
  expect(ids.map(meterOf)).toMatchObject([
    { minutes: 1 },
    { minutes: 2, state: 'running' },
    { minutes: 1 },
    { minutes: 2, state: 'running' },
  ])
  const [firstExpensive, , secondExpensive] = ids
  expect(new Set(several.hungUp.map(call => call.callId))).toEqual(new Set([firstExpensive, secondExpensive]))
  several.network.die()
  await reconcileCalls(services, 0)
})

test('meters a call without any report to its limit and no further', async () => {
  const who = await caller(world, 10)
  const callId = await connect(here, who)
  const at = world.clock.now()
  // There is more money now than the limit was reckoned from.
  const gift = { debit: 'payments', credit: who.accountId, amountMicroUsd: 5_000_000, at } as const
  await post(world.db, { ...gift, key: `payment:${callId}` })
  for (let minute = 0; minute < 20; minute += 1) {
    world.clock.advance(60_001)
    await chargeDueMinutes(there.services)
  }
  const [meter] = await world.db.query('select minutes, next_charge_at from call_meter where call_id = $1', [
    callId,
  ])
  expect(meter).toEqual({ minutes: 5, next_charge_at: null })
  here.network.die()
  await reconcileCalls(here.services, 0)
})
