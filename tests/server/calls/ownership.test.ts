import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { HangUpReason } from '#lib/calls/call-end.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import type { CallRow } from '#server/calls/rows.ts'
import { placingGraceMs, reconcileCalls, silenceMs } from '#server/calls/settlement/reconcile-calls.ts'
import type { Services } from '#server/context.ts'
import { post } from '#server/ledger/ledger.ts'
import { readOrCreateNodeId } from '#server/process/node-id.ts'
import { systemRandom } from '#server/process/random.ts'
import type { CallControl } from '#server/telephony/port.ts'
import { findBreaches } from '#support/books.ts'
import { addCaller, type Caller } from '#support/storm-callers.ts'
import { createLivingNetwork, type LivingNetwork } from '#support/storm-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld, type World } from '#support/world.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'
/** 0.19 USD a minute. */
const pakistani = '+923001234567'

/** One of two server processes on the same database. */
interface Process {
  readonly services: Services
  readonly control: CallControl
  readonly network: LivingNetwork
  readonly hungUp: { callId: string; why: HangUpReason }[]
}

let world: World
/** What the networks said of ended calls, on its way into the books. */
const reports: Promise<void>[] = []
let here: Process
let there: Process
beforeAll(async () => {
  world = await createWorld()
  here = createProcess('here')
  there = createProcess('there')
})
afterEach(async () => {
  await Promise.all(reports.splice(0))
  expect(await findBreaches(world.db)).toEqual([])
})
afterAll(async () => {
  await world.close()
})

function createProcess(nodeId: string): Process {
  const hungUp: { callId: string; why: HangUpReason }[] = []
  const network = createLivingNetwork(world.clock, event => {
    if (event.kind === 'ended') reports.push(control.report(event))
  })
  const telephony = {
    ...network,
    hangUp: async (callId: string, why: HangUpReason) => {
      hungUp.push({ callId, why })
      await network.hangUp(callId, why)
    },
  }
  const services: Services = { ...world.services, telephony, nodeId }
  const control = createCallControl(services)
  return { services, control, network, hungUp }
}

let callers = 0
async function caller(cents = 10, free = false): Promise<Caller> {
  callers += 1
  return addCaller(world.services, `owner-${callers}`, { cents, free })
}

async function place(process: Process, who: Caller, to = american): Promise<string> {
  const placement = await process.control.place({ userId: who.id, to, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  process.network.connect(placement.callId, placement.limitMs)
  return placement.callId
}

async function connect(process: Process, who: Caller, to?: string): Promise<string> {
  const callId = await place(process, who, to)
  process.network.answer(callId)
  await process.control.report({ kind: 'answered', callId })
  return callId
}

async function read(callId: string): Promise<CallRow> {
  const [row] = await world.db.query<CallRow>('select * from call where id = $1', [callId])
  if (row === undefined) throw new Error('no such call')
  return row
}

/** Time passes, and a process that lives writes its heartbeats. */
async function live(process: Process, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5000) {
    world.clock.advance(Math.min(5000, ms - passed))
    await recordHeartbeats(process.services, process.network.live())
  }
}

test('a start leaves the calls of another living process alone, answered or still ringing', async () => {
  const [talking, ringing] = [await connect(there, await caller()), await place(there, await caller())]
  await live(there, 45_000)
  await reconcileCalls(here.services, 0)
  await reconcileCalls(here.services, placingGraceMs)
  expect((await read(talking)).state).toBe('answered')
  expect((await read(ringing)).state).toBe('placed')
  expect(there.network.live()).toHaveLength(2)
  for (const callId of [talking, ringing]) there.network.end(callId, 'caller_hung_up')
})

test('a process asks its network about its own calls and about silent ones, not about those of a living process', async () => {
  const [own, foreign] = [await connect(here, await caller()), await connect(there, await caller())]
  const asked: string[] = []
  const services: Services = {
    ...here.services,
    telephony: {
      ...here.network,
      inspect: callId => {
        asked.push(callId)
        return here.network.inspect(callId)
      },
    },
  }
  await live(there, 45_000)
  await reconcileCalls(services, placingGraceMs)
  expect(asked).toEqual([own])
  world.clock.advance(silenceMs)
  await reconcileCalls(services, placingGraceMs)
  expect(new Set(asked.slice(1))).toEqual(new Set([own, foreign]))
  here.network.end(own, 'caller_hung_up')
  await recordHeartbeats(there.services, there.network.live())
  expect(there.network.live()).toEqual([])
})

test('any process ends the calls of a process that falls silent, at their last heartbeat', async () => {
  const who = await caller(0, true)
  const [talking, ringing] = [await connect(there, await caller()), await place(there, who)]
  await live(there, 65_000)
  there.network.die()
  world.clock.advance(silenceMs - 1)
  await reconcileCalls(here.services, 0)
  expect((await read(talking)).state).toBe('answered')
  world.clock.advance(1)
  expect(await reconcileCalls(here.services, placingGraceMs)).toBe(2)
  expect(await read(talking)).toMatchObject({
    state: 'ended',
    answered_ms: 65_000,
    cost: 40_000,
    outcome: 'interrupted',
  })
  expect(await read(ringing)).toMatchObject({ state: 'ended', answered_ms: null, cost: 0 })
  const [user] = await world.db.query('select free_call from app_user where id = $1', [who.id])
  expect(user).toEqual({ free_call: 'available' })
})

test('a sign of life between the look and the settlement keeps the call', async () => {
  const callId = await connect(there, await caller())
  world.clock.advance(silenceMs)
  const slow: Services = {
    ...here.services,
    telephony: {
      ...here.network,
      inspect: async id => {
        await recordHeartbeats(there.services, [callId])
        return here.network.inspect(id)
      },
    },
  }
  expect(await reconcileCalls(slow, placingGraceMs)).toBe(0)
  expect((await read(callId)).state).toBe('answered')
  there.network.end(callId, 'caller_hung_up')
})

test('own calls that died are settled at the start without waiting, and capped at their limit', async () => {
  const callId = await connect(here, await caller(4))
  world.clock.advance(3_600_000)
  // As a version wrote it that did not ask the network how long the call had lasted.
  await world.db.query('update call set heartbeat_at = $2 where id = $1', [callId, world.clock.now()])
  here.network.die()
  expect(await reconcileCalls(here.services, 0)).toBe(1)
  expect(await read(callId)).toMatchObject({ answered_ms: 120_000, cost: 40_000 })
})

test('a process that was only cut off hangs up what others settled meanwhile', async () => {
  const callId = await connect(there, await caller())
  world.clock.advance(silenceMs)
  expect(await reconcileCalls(here.services, placingGraceMs)).toBe(1)
  expect(there.network.live()).toEqual([callId])
  const settled = await read(callId)
  await recordHeartbeats(there.services, there.network.live())
  expect(there.hungUp).toContainEqual({ callId, why: 'already_settled' })
  expect(there.network.live()).toEqual([])
  expect(await read(callId)).toEqual(settled)
})

test('a hang-up that fails keeps the heartbeat from no other', async () => {
  const [first, second] = [systemRandom.uuid(), systemRandom.uuid()]
  const tried: string[] = []
  const hangUp = async (callId: string): Promise<void> => {
    tried.push(callId)
    throw new Error('the carrier does not answer')
  }
  const services: Services = { ...here.services, telephony: { ...here.network, hangUp } }
  await recordHeartbeats(services, [first, second])
  expect(new Set(tried)).toEqual(new Set([first, second]))
})

test('a call that the books do not hold is hung up by the next heartbeat', async () => {
  const callId = systemRandom.uuid()
  here.network.connect(callId, 60_000)
  await recordHeartbeats(here.services, here.network.live())
  expect(here.hungUp).toContainEqual({ callId, why: 'already_settled' })
})

test('a minute that another process could not charge ends the call where it is carried', async () => {
  const who = await caller(4)
  const callId = await connect(there, who)
  const at = world.clock.now()
  const take = { debit: who.accountId, credit: 'adjustments', amountMicroUsd: 20_000, at } as const
  await post(world.db, { ...take, key: `test:${callId}` })
  await live(there, 60_001)
  await chargeDueMinutes(here.services)
  expect(here.hungUp.map(call => call.callId)).not.toContain(callId)
  expect(there.network.live()).toEqual([callId])
  await recordHeartbeats(there.services, there.network.live())
  expect(there.hungUp).toContainEqual({ callId, why: 'no_credits' })
  await expect.poll(async () => (await read(callId)).state).toBe('ended')
  expect(await read(callId)).toMatchObject({ cost: 20_000, outcome: 'limit' })
})

test('money that comes after a minute could not be paid charges nothing more before the call is hung up', async () => {
  const who = await caller(10)
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
  await expect.poll(async () => (await read(callId)).state).toBe('ended')
  expect(await read(callId)).toMatchObject({ cost: 20_000, answered_ms: 60_000 })
})

test('an answer that was never reported is found by reconciliation, and its minutes are charged', async () => {
  const who = await caller()
  const callId = await place(here, who)
  here.network.answer(callId)
  world.clock.advance(30_000)
  await reconcileCalls(here.services, placingGraceMs)
  const { state, answered_at: answeredAt } = await read(callId)
  expect(state).toBe('answered')
  expect(world.clock.now().getTime() - (answeredAt?.getTime() ?? 0)).toBe(30_000)
  world.clock.advance(30_001)
  await chargeDueMinutes(here.services)
  const [meter] = await world.db.query('select minutes from call_meter where call_id = $1', [callId])
  expect(meter).toEqual({ minutes: 2 })
  here.network.end(callId, 'caller_hung_up')
  await expect.poll(async () => (await read(callId)).cost).toBe(40_000)
})

test('an answer that is reported late is a sign of life of now, not of then', async () => {
  const callId = await place(there, await caller())
  there.network.answer(callId)
  await live(there, silenceMs + 15_000)
  await reconcileCalls(there.services, placingGraceMs)
  expect(await reconcileCalls(here.services, placingGraceMs)).toBe(0)
  expect(await read(callId)).toMatchObject({ state: 'answered', heartbeat_at: world.clock.now() })
  there.network.end(callId, 'caller_hung_up')
  await expect.poll(async () => (await read(callId)).cost).toBe(20_000)
})

test('minutes that are too expensive take nothing from cheaper ones that come due after them', async () => {
  const who = await caller(84)
  const several = createProcess('several')
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
  const who = await caller(10)
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

test('a process keeps its name in its data directory, and makes a new one of a file that was cut off', () => {
  const directory = mkdtempSync(join(tmpdir(), 'farline-node-'))
  try {
    const name = readOrCreateNodeId(directory, systemRandom)
    expect(readOrCreateNodeId(directory, systemRandom)).toBe(name)
    writeFileSync(join(directory, 'node-id'), '')
    const next = readOrCreateNodeId(directory, systemRandom)
    expect(next).not.toBe(name)
    expect(readFileSync(join(directory, 'node-id'), 'utf8')).toBe(next)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
