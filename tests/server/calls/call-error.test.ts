import { beforeEach, expect, test } from 'vitest'
import type { HangUpReason } from '#lib/calls/call-end.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'

const world = keepForFile(await createWorld())
beforeEach(() => {
  world.notices.length = 0
})

const callErrors = () => world.notices.filter(({ kind }) => kind === 'call_error')

test('tells a page why the server ended its call: the credit, or the free call, was used up', async () => {
  const paying = await world.addUser({ credit: 0.03 })
  const call = await connectCall(world.control, paying.id, american)
  await chargeDueMinutes(world.services)
  world.clock.advance(60_000)
  await call.end(60_000, 'limit')
  expect(callErrors()).toEqual([
    {
      kind: 'call_error',
      userId: paying.id,
      event: { callId: call.callId, message: 'Your credits ran out. Talked 1:00, charged $0.02.' },
    },
  ])
  const guest = await world.addUser({ freeCall: 'available' })
  const free = await connectCall(world.control, guest.id, american)
  world.clock.advance(300_000)
  await free.end(300_000, 'limit')
  expect(callErrors()[1]).toMatchObject({
    userId: guest.id,
    event: { callId: free.callId, message: 'Your free call is over. Talked 5:00, nothing charged.' },
  })
})

test('a call that ended because none may be longer is not said to have used up the credit', async () => {
  const user = await world.addUser({ credit: 20 })
  const call = await connectCall(world.control, user.id, american)
  expect(call.limitMs).toBe(60 * 60_000)
  for (let minute = 0; minute < 60; minute += 1) {
    await chargeDueMinutes(world.services)
    world.clock.advance(60_000)
  }
  await call.end(60 * 60_000, 'limit')
  const message = 'Calls end after 60 minutes. Call again. Talked 1:00:00, charged $1.20.'
  expect(callErrors()).toEqual([
    { kind: 'call_error', userId: user.id, event: { callId: call.callId, message } },
  ])
})

test('hangs up a user who is restricted in a call at the next heartbeat, and says why', async () => {
  const user = await world.addUser({ credit: 1 })
  const call = await connectCall(world.control, user.id, american)
  const hungUp: { callId: string; why: HangUpReason }[] = []
  const telephony = {
    ...world.services.telephony,
    hangUp: async (callId: string, why: HangUpReason) => {
      hungUp.push({ callId, why })
    },
  }
  await recordHeartbeats({ ...world.services, telephony }, [call.callId])
  expect(hungUp).toEqual([])
  await world.db.query('update app_user set can_call = false where id = $1', [user.id])
  await recordHeartbeats({ ...world.services, telephony }, [call.callId])
  expect(hungUp).toEqual([{ callId: call.callId, why: 'call_blocked' }])
  await call.end(5000, 'blocked')
  expect(callErrors()).toEqual([
    {
      kind: 'call_error',
      userId: user.id,
      event: {
        callId: call.callId,
        message: 'Your account has been restricted from making calls. Contact support for help.',
      },
    },
  ])
})

test('tells a page that its call is gone with the process that carried it', async () => {
  const user = await world.addUser({ credit: 1 })
  const call = await connectCall(world.control, user.id, american)
  await chargeDueMinutes(world.services)
  world.clock.advance(placingGraceMs)
  await reconcileCalls(world.services, placingGraceMs)
  expect(callErrors()).toMatchObject([
    { event: { callId: call.callId, message: expect.stringMatching(/^Cut off: our service restarted\./) } },
  ])
})

test('an ordinary end is no error, however often it is reported', async () => {
  const user = await world.addUser({ credit: 1 })
  for (const end of ['caller_hung_up', 'callee_hung_up', 'limit'] as const) {
    const call = await connectCall(world.control, user.id, american)
    await call.end(1000, end)
    await call.end(1000, end)
  }
  expect(callErrors()).toHaveLength(1)
})
