import { version } from 'uuid'
import { expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { findUser } from '#server/identity/users.ts'
import { balanceOf, chargedForCall } from '#server/ledger/ledger.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'
import { american, holdCall, rate, record, removeBalance } from './held-calls.ts'

const world = keepForFile(await createWorld())

test('a call of 10 s costs one minute', async () => {
  const user = await world.addUser({ credit: 5 })
  const call = await connectCall(world.control, user.id, american)
  await holdCall(world, 10_000)
  await call.end(10_000)
  expect(await record(world, user.id, call.callId)).toMatchObject({
    cost: 0.02,
    minutesCharged: 1,
    seconds: 10,
    free: false,
    outcome: 'completed',
  })
  expect(await balanceOf(world.db, user.account_id)).toBe(5_000_000 - rate)
})

test('a call of exactly 60.0 s costs one minute, and of 61 s two', async () => {
  const user = await world.addUser({ credit: 5 })
  const exact = await connectCall(world.control, user.id, american)
  await holdCall(world, 60_000)
  expect(await balanceOf(world.db, user.account_id)).toBe(5_000_000 - rate)
  await exact.end(60_000)
  expect(await record(world, user.id, exact.callId)).toMatchObject({ cost: 0.02, minutesCharged: 1 })

  const longer = await connectCall(world.control, user.id, american)
  await holdCall(world, 61_000)
  expect(await balanceOf(world.db, user.account_id)).toBe(5_000_000 - 3 * rate)
  await longer.end(61_000)
  expect(await record(world, user.id, longer.callId)).toMatchObject({ cost: 0.04, minutesCharged: 2 })
})

test('the minute that the meter took before a late hang-up goes back', async () => {
  const user = await world.addUser({ credit: 5 })
  const call = await connectCall(world.control, user.id, american)
  await holdCall(world, 60_500)
  expect(await balanceOf(world.db, user.account_id)).toBe(5_000_000 - 2 * rate)
  await call.end(59_900)
  expect(await balanceOf(world.db, user.account_id)).toBe(5_000_000 - rate)
})

test('ringing, busy and unanswered calls cost nothing', async () => {
  const user = await world.addUser({ credit: 5 })
  for (const end of ['busy', 'no_answer', 'declined', 'caller_hung_up', 'failed'] as const) {
    const placement = await world.control.place({ userId: user.id, to: american, callerId: undefined })
    if (placement.kind === 'refuse') throw new Error(placement.code)
    await world.control.report({ kind: 'ringing', callId: placement.callId })
    await holdCall(world, 70_000)
    await world.control.report({ kind: 'ended', callId: placement.callId, answeredMs: null, end })
    const outcome = end === 'caller_hung_up' ? 'cancelled' : end
    expect(await record(world, user.id, placement.callId)).toMatchObject({
      cost: 0,
      minutesCharged: 0,
      outcome,
    })
  }
  expect(await balanceOf(world.db, user.account_id)).toBe(5_000_000)
})

test('the balance covers the limit, and the meter hangs up when the next minute cannot be paid', async () => {
  const user = await world.addUser({ credit: 0.05 })
  const call = await connectCall(world.control, user.id, american)
  expect(call.limitMs).toBe(120_000)
  // Money is withdrawn meanwhile: with the limit alone, the user would now talk for free.
  await removeBalance(world, user.account_id)
  await holdCall(world, 61_000)
  expect(world.network.hungUp).toContain(call.callId)
  await call.end(60_500, 'limit')
  expect(await record(world, user.id, call.callId)).toMatchObject({ cost: 0.02, outcome: 'limit' })
  expect(await balanceOf(world.db, user.account_id)).toBe(10_000)
})

test('a balance below one minute starts no call', async () => {
  const user = await world.addUser({ credit: 0.01 })
  expect(await world.control.place({ userId: user.id, to: american, callerId: undefined })).toMatchObject({
    kind: 'refuse',
    code: 'no_credits',
    message: "You don't have enough credits to make this call",
  })
})

test('the first call is free for 5 minutes at most and is used up when answered', async () => {
  const user = await world.addUser({ freeCall: 'available', credit: 1 })
  const call = await connectCall(world.control, user.id, american)
  expect(call.limitMs).toBe(5 * 60_000)
  expect((await findUser(world.db, user.id))?.free_call).toBe('used')
  await holdCall(world, 150_000)
  await call.end(150_000)
  expect(await record(world, user.id, call.callId)).toMatchObject({
    cost: 0,
    free: true,
    minutesCharged: 0,
    seconds: 150,
  })
  expect(await balanceOf(world.db, user.account_id)).toBe(1_000_000)
})

/** What a call has moved, by the accounts' kinds. */
const postings = (callId: string) =>
  world.db.query(
    `select key, debit.kind as debit, credit.kind as credit, amount from transfer
     join account debit on debit.id = debit_account join account credit on credit.id = credit_account
     where call_id = $1`,
    [callId],
  )

test('moves the worth of a free call from promotions to revenue, once, and charges nobody', async () => {
  const user = await world.addUser({ freeCall: 'available', credit: 1 })
  const call = await connectCall(world.control, user.id, american)
  await holdCall(world, 61_000)
  expect(await postings(call.callId)).toEqual([])
  for (let report = 0; report < 2; report += 1) await call.end(61_000)
  const key = `call:${call.callId}:free`
  expect(await postings(call.callId)).toEqual([
    { key, debit: 'promotions', credit: 'revenue', amount: 2 * rate },
  ])
  expect(await chargedForCall(world.db, call.callId)).toBe(0)
  expect((await listTransfers(world.db, user.id, {}, world.clock.now())).transfers).toHaveLength(1)
})

test('returns a free call that nobody answers', async () => {
  const user = await world.addUser({ freeCall: 'available' })
  const placement = await world.control.place({ userId: user.id, to: american, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  expect((await findUser(world.db, user.id))?.free_call).toBe('reserved')
  await world.control.report({
    kind: 'ended',
    callId: placement.callId,
    answeredMs: null,
    end: 'no_answer',
  })
  expect((await findUser(world.db, user.id))?.free_call).toBe('available')
})

test('rejects a second call at the same time, and allows it once the first is over', async () => {
  const user = await world.addUser({ credit: 5 })
  const attempt = { userId: user.id, to: american, callerId: undefined }
  const first = await connectCall(world.control, user.id, american)
  expect(await world.control.place(attempt)).toMatchObject({ kind: 'refuse', code: 'too_many_calls' })
  await first.end(1000)
  expect(await world.control.place(attempt)).toMatchObject({ kind: 'connect' })
})

test('two presses at the same instant start one call', async () => {
  const user = await world.addUser({ credit: 5 })
  const attempt = { userId: user.id, to: american, callerId: undefined }
  const placements = await Promise.all([1, 2, 3].map(() => world.control.place(attempt)))
  expect(placements.filter(placement => placement.kind === 'connect')).toHaveLength(1)
})

test('the balance is pushed at answer, at each charge and at the end', async () => {
  const user = await world.addUser({ credit: 1 })
  const before = world.notices.length
  const call = await connectCall(world.control, user.id, american)
  await holdCall(world, 61_000)
  await call.end(61_000)
  const pushed = world.notices
    .slice(before)
    .filter(notice => notice.userId === user.id && notice.kind === 'balance')
    .map(notice => (notice.kind === 'balance' ? notice.event.credits : undefined))
  expect([...new Set(pushed)]).toEqual([0.98, 0.96])
})

test('money that a running call holds starts no second one', async () => {
  const user = await world.addUser({ credit: 0.02 })
  const services = { ...world.services, policy: widePolicy({ concurrentCalls: 2 }) }
  const control = createCallControl(services)
  const first = await connectCall(control, user.id, american)
  const attempt = await control.place({ userId: user.id, to: american, callerId: undefined })
  expect(attempt).toMatchObject({ kind: 'refuse', code: 'no_credits' })
  await first.end(1000)
  expect(await balanceOf(world.db, user.account_id)).toBe(0)
})

test('the ids of calls are in the order of time, so that new rows come to one end of an index', async () => {
  const user = await world.addUser({ credit: 5 })
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const call = await connectCall(world.control, user.id, american)
    await call.end(1000)
    ids.push(call.callId)
    world.clock.advance(1)
  }
  expect(ids.map(version)).toEqual([7, 7, 7, 7, 7])
  expect([...ids].sort()).toEqual(ids)
})

test('a destination too expensive for the free call says so and keeps the free call', async () => {
  const user = await world.addUser({ freeCall: 'available' })
  const falklands = '+50021234'
  expect(await world.control.place({ userId: user.id, to: falklands, callerId: undefined })).toMatchObject({
    kind: 'refuse',
    code: 'no_credits',
    message: expect.stringMatching(
      /^Your free call covers rates up to \$0\.50 a minute\. This number costs \$\d/,
    ),
  })
  expect((await findUser(world.db, user.id))?.free_call).toBe('available')
})

test('a call of 30 s or more marks the user for the feedback prompt, a shorter one does not', async () => {
  const user = await world.addUser({ credit: 5 })
  await (await connectCall(world.control, user.id, american)).end(29_999)
  expect((await findUser(world.db, user.id))?.hide).toBe(false)
  await (await connectCall(world.control, user.id, american)).end(30_000)
  expect(await findUser(world.db, user.id)).toMatchObject({ hide: true, has_made_call: true })
})
