import { expect, test } from 'vitest'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { findUser } from '#server/identity/users.ts'
import { balanceOf } from '#server/ledger/ledger.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { american, holdCall, rate, record, removeBalance } from './held-calls.ts'

const world = keepForFile(await createWorld())

test('repeated, late and lost events settle a call once', async () => {
  const user = await world.addUser({ credit: 5 })
  const placement = await world.control.place({ userId: user.id, to: american, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  const { callId } = placement
  // `answered` is lost, `ended` comes three times, and then the lost event turns up.
  for (const answeredMs of [61_000, 61_000, 200_000]) {
    await world.control.report({ kind: 'ended', callId, answeredMs, end: 'caller_hung_up' })
  }
  await world.control.report({ kind: 'answered', callId })
  await holdCall(world, 120_000)
  expect(await record(world, user.id, callId)).toMatchObject({
    cost: 0.04,
    minutesCharged: 2,
    answeredAt: expect.any(String),
  })
  expect(await balanceOf(world.db, user.account_id)).toBe(5_000_000 - 2 * rate)
})

test('a call unknown to every process ends at its last heartbeat', async () => {
  const user = await world.addUser({ credit: 5 })
  const call = await connectCall(world.control, user.id, american)
  await holdCall(world, 65_000)
  await recordHeartbeats(world.services, [call.callId])
  world.clock.advance(3_600_000)
  expect(await reconcileCalls(world.services, placingGraceMs)).toBeGreaterThan(0)
  expect(await record(world, user.id, call.callId)).toMatchObject({
    seconds: 65,
    cost: 0.04,
    outcome: 'interrupted',
  })
  expect(await reconcileCalls(world.services, placingGraceMs)).toBe(0)
})

test('a call that is being placed this moment is left alone by the minutely look, and settled at a start', async () => {
  const user = await world.addUser({ freeCall: 'available' })
  const placement = await world.control.place({ userId: user.id, to: american, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  await reconcileCalls(world.services, placingGraceMs)
  expect(await record(world, user.id, placement.callId)).toMatchObject({ state: 'placed' })
  world.clock.advance(-3_600_000)
  await reconcileCalls(world.services, 0)
  world.clock.advance(3_600_000)
  expect(await record(world, user.id, placement.callId)).toMatchObject({ cost: 0, outcome: 'interrupted' })
  expect((await findUser(world.db, user.id))?.free_call).toBe('available')
})

test('reconciliation asks the network and believes it', async () => {
  const user = await world.addUser({ credit: 5 })
  const live = await connectCall(world.control, user.id, american)
  world.network.know(live.callId, { kind: 'live', answeredMs: 20_000 })
  await reconcileCalls(world.services, placingGraceMs)
  expect(await record(world, user.id, live.callId)).toMatchObject({ state: 'answered' })
  world.network.know(live.callId, { kind: 'ended', answeredMs: 20_000, end: 'callee_hung_up' })
  await reconcileCalls(world.services, placingGraceMs)
  expect(await record(world, user.id, live.callId)).toMatchObject({ state: 'ended', seconds: 20, cost: 0.02 })
})

test('a network that has a call answered of which we never heard is believed: a crash took the news of it', async () => {
  const user = await world.addUser({ credit: 5 })
  const placement = await world.control.place({ userId: user.id, to: american, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  const { callId } = placement
  await world.control.report({ kind: 'ringing', callId })
  world.network.know(callId, { kind: 'ended', answeredMs: 61_000, end: 'server_stopping' })
  world.clock.advance(90_000)
  await reconcileCalls(world.services, placingGraceMs)
  expect(await record(world, user.id, callId)).toMatchObject({ seconds: 61, cost: 0.04 })
})

test('a hang-up that failed is made up for by the next reconciliation, and one broken call stops no other', async () => {
  const [poor, other] = [await world.addUser({ credit: 0.04 }), await world.addUser({ credit: 5 })]
  const unpaid = await connectCall(world.control, poor.id, american)
  const lost = await connectCall(world.control, other.id, american)
  const failing = {
    ...world.services,
    telephony: {
      ...world.network,
      hangUp: async () => Promise.reject(new Error('the carrier does not answer')),
      inspect: async (callId: string) =>
        callId === unpaid.callId
          ? Promise.reject(new Error('the carrier does not answer'))
          : world.network.inspect(callId),
    },
  }
  await removeBalance(world, poor.account_id)
  world.clock.advance(60_002)
  await chargeDueMinutes(failing)
  world.clock.advance(60_000)
  expect(await reconcileCalls(failing, placingGraceMs)).toBe(1)
  expect(await record(world, other.id, lost.callId)).toMatchObject({ state: 'ended' })
  expect(world.network.hungUp).not.toContain(unpaid.callId)
  world.network.know(unpaid.callId, { kind: 'live', answeredMs: 120_000 })
  await reconcileCalls(world.services, placingGraceMs)
  expect(world.network.hungUp).toContain(unpaid.callId)
  await unpaid.end(120_000, 'limit')
  expect(await record(world, poor.id, unpaid.callId)).toMatchObject({ cost: 0.02, minutesCharged: 1 })
})
