import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { placingGraceMs, reconcileCalls, silenceMs } from '#server/calls/settlement/reconcile-calls.ts'
import type { Services } from '#server/context.ts'
import { readOrCreateNodeId } from '#server/process/node-id.ts'
import { systemRandom } from '#server/process/random.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { caller, connect, createProcess, live, place, readCall } from './server-processes.ts'

/** What the networks said of ended calls, on its way into the books. */
const reports: Promise<void>[] = []
const world = keepForFile(await createWorld())
const here = createProcess(world, 'here', reports)
const there = createProcess(world, 'there', reports)
afterEach(() => Promise.all(reports.splice(0)))

test('a start leaves the calls of another living process alone, answered or still ringing', async () => {
  const [talking, ringing] = [
    await connect(there, await caller(world)),
    await place(there, await caller(world)),
  ]
  await live(world, there, 45_000)
  await reconcileCalls(here.services, 0)
  await reconcileCalls(here.services, placingGraceMs)
  expect((await readCall(world, talking)).state).toBe('answered')
  expect((await readCall(world, ringing)).state).toBe('placed')
  expect(there.network.live()).toHaveLength(2)
  for (const callId of [talking, ringing]) there.network.end(callId, 'caller_hung_up')
})

test('a process asks its network about its own calls and about silent ones, not about those of a living process', async () => {
  const [own, foreign] = [await connect(here, await caller(world)), await connect(there, await caller(world))]
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
  await live(world, there, 45_000)
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
  const who = await caller(world, 0, true)
  const [talking, ringing] = [await connect(there, await caller(world)), await place(there, who)]
  await live(world, there, 65_000)
  there.network.die()
  world.clock.advance(silenceMs - 1)
  await reconcileCalls(here.services, 0)
  expect((await readCall(world, talking)).state).toBe('answered')
  world.clock.advance(1)
  expect(await reconcileCalls(here.services, placingGraceMs)).toBe(2)
  expect(await readCall(world, talking)).toMatchObject({
    state: 'ended',
    answered_ms: 65_000,
    cost: 40_000,
    outcome: 'interrupted',
  })
  expect(await readCall(world, ringing)).toMatchObject({ state: 'ended', answered_ms: null, cost: 0 })
  const [user] = await world.db.query('select free_call from app_user where id = $1', [who.id])
  expect(user).toEqual({ free_call: 'available' })
})

test('a sign of life between the look and the settlement keeps the call', async () => {
  const callId = await connect(there, await caller(world))
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
  expect((await readCall(world, callId)).state).toBe('answered')
  there.network.end(callId, 'caller_hung_up')
})

test('own calls that died are settled at the start without waiting, and capped at their limit', async () => {
  const callId = await connect(here, await caller(world, 4))
  world.clock.advance(3_600_000)
  // As a version wrote it that did not ask the network how long the call had lasted.
  await world.db.query('update call set heartbeat_at = $2 where id = $1', [callId, world.clock.now()])
  here.network.die()
  expect(await reconcileCalls(here.services, 0)).toBe(1)
  expect(await readCall(world, callId)).toMatchObject({ answered_ms: 120_000, cost: 40_000 })
})

test('a process that was only cut off hangs up what others settled meanwhile', async () => {
  const callId = await connect(there, await caller(world))
  world.clock.advance(silenceMs)
  expect(await reconcileCalls(here.services, placingGraceMs)).toBe(1)
  expect(there.network.live()).toEqual([callId])
  const settled = await readCall(world, callId)
  await recordHeartbeats(there.services, there.network.live())
  expect(there.hungUp).toContainEqual({ callId, why: 'already_settled' })
  expect(there.network.live()).toEqual([])
  expect(await readCall(world, callId)).toEqual(settled)
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

test('an answer that is reported late is a sign of life of now, not of then', async () => {
  const callId = await place(there, await caller(world))
  there.network.answer(callId)
  await live(world, there, silenceMs + 15_000)
  await reconcileCalls(there.services, placingGraceMs)
  expect(await reconcileCalls(here.services, placingGraceMs)).toBe(0)
  expect(await readCall(world, callId)).toMatchObject({ state: 'answered', heartbeat_at: world.clock.now() })
  there.network.end(callId, 'caller_hung_up')
  await expect.poll(async () => (await readCall(world, callId)).cost).toBe(20_000)
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
