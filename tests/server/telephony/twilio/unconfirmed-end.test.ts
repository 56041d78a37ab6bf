import { afterEach, expect, test } from 'vitest'
import { firstInquiryMs } from '#server/calls/carrier/poll-carrier.ts'
import { keepForFile } from '#support/file-world.ts'
import { endUnlisted, leaveCalls, live, reportStatus } from './carrier-loops.ts'
import { createTwilioWorld } from './twilio-world.ts'

const minuteMs = 60_000

const world = keepForFile(await createTwilioWorld({ appStatus: true }))
afterEach(() => leaveCalls(world))

test('an answered call whose telephone’s leg is listed late is settled to what it was', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await live(world, 150_000)
  const list = endUnlisted(world, sid)
  // The caller's leg is reported, but the list lags behind.
  await reportStatus(world, '', { CallSid: sid, CallStatus: 'completed' })
  await live(world, 10_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'answered' })
  list()
  await live(world, 5000)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 150_000, cost: 60_000 })
  expect(await world.balanceOf(id)).toBe(940_000)
})

test('the same if the answer was never reported either', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await world.passTime(15_000)
  const list = endUnlisted(world, sid)
  await live(world, 10_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'placed' })
  list()
  await live(world, 10_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 15_000, cost: 20_000 })
})

test('a call whose length is never reported keeps what it cost while the carrier said that it lasted', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await live(world, 170_000)
  endUnlisted(world, sid)
  await live(world, 4 * minuteMs)
  expect((await world.theCall(id)).state).toBe('answered')
  await live(world, 4 * minuteMs)
  // Last listed at 140 s.
  expect(await world.theCall(id)).toMatchObject({
    outcome: 'interrupted',
    answered_ms: 140_000,
    cost: 60_000,
  })
  expect(await world.balanceOf(id)).toBe(940_000)
  expect(world.logged.some(line => line.includes('nobody reported the length of an answered call'))).toBe(
    true,
  )
})

test.each([
  ['failed', 'before it was first asked about', 12_000, 20_000],
  ['busy', 'later', 70_000, 20_000],
])(
  'an end without an answer (%s) is not believed of a call that was answered, %s',
  async (status, _, lastedMs, cost) => {
    const { id } = await world.addUser({ credit: 1 })
    const sid = await world.call(id)
    await live(world, lastedMs)
    const call = await world.theCall(id)
    await reportStatus(world, `call=${call.id}`, { CallStatus: status, CallDuration: '0' })
    expect((await world.theCall(id)).state).toBe('answered')
    expect(await world.balanceOf(id)).toBe(1_000_000 - Math.ceil(lastedMs / minuteMs) * 20_000)
    // And the vendor never says anything better: what is sure is how long it lasted when it was last asked, after 40 s.
    endUnlisted(world, sid)
    await live(world, 10 * minuteMs)
    expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'interrupted', cost })
  },
)

test('a call that failed after so many seconds is charged for them', async () => {
  const { id } = await world.addUser({ credit: 1 })
  await world.call(id)
  await world.passTime(150_000)
  const call = await world.theCall(id)
  await reportStatus(world, `call=${call.id}`, {
    CallStatus: 'failed',
    CallDuration: '150',
    SipResponseCode: '503',
  })
  expect(await world.theCall(id)).toMatchObject({
    outcome: 'connection_lost',
    answered_ms: 150_000,
    cost: 60_000,
  })
})

test('does not date an unreported answer before the call was last seen ringing', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'answers', afterMs: 50_000 }
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await live(world, 85_000)
  const { placed_at, answered_at } = await world.theCall(id)
  expect((answered_at?.getTime() ?? 0) - placed_at.getTime()).toBe(2 * firstInquiryMs)
  expect(await world.balanceOf(id)).toBe(980_000)
  world.fake.webhooks.mode = 'deliver'
  world.fake.switchboard.hangUp(sid, 'callee')
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({ answered_ms: 35_000, cost: 20_000 })
})

test.each([['the telephone’s leg first'], ['the end of dialling first']])(
  'the telephone’s leg says why a call failed, whatever comes first: %s',
  async first => {
    const { id } = await world.addUser({ credit: 1 })
    world.fake.switchboard.anybody = { does: 'rings' }
    await world.call(id)
    const { id: callId } = await world.theCall(id)
    const acts = [
      () =>
        reportStatus(world, `call=${callId}`, {
          CallStatus: 'failed',
          SipResponseCode: '404',
          CallDuration: '0',
        }),
      () =>
        reportStatus(world, `call=${callId}&dial=over`, {
          DialCallStatus: 'failed',
          DialCallSid: `CA${'7'.repeat(32)}`,
        }),
    ]
    for (const act of first.includes('dialling') ? acts.toReversed() : acts) await act()
    expect((await world.theCall(id)).outcome).toBe('invalid_number')
  },
)

test('asks for the rest within seconds where only the end of dialling is reported', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'busy' }
  world.fake.webhooks.mode = 'hold'
  await world.call(id)
  const dialled = world.fake.webhooks.held.splice(0).filter(({ url }) => url.includes('dial=over'))
  expect(dialled).toHaveLength(1)
  for (const callback of dialled) await world.fake.webhooks.ask(callback)
  expect((await world.theCall(id)).state).not.toBe('ended')
  await live(world, 5000)
  expect(await world.theCall(id)).toMatchObject({ outcome: 'busy', cost: 0 })
})

test('a call that is over, whose answer and length are never reported, costs nothing, and is logged', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await world.passTime(5000)
  endUnlisted(world, sid)
  const before = world.logged.length
  await live(world, 8 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: null, cost: 0 })
  expect(world.logged.slice(before).join()).toContain(
    'a call is settled without a charge: nobody reported its length',
  )
})

test('trusts an answer that is reported minutes after the dialling', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'rings' }
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await live(world, 4 * minuteMs)
  world.fake.switchboard.answer(sid)
  await live(world, minuteMs)
  expect((await world.theCall(id)).state).toBe('answered')
  world.fake.webhooks.mode = 'deliver'
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
})
