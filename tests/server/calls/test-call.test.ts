import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { findCall } from '#server/calls/history/history.ts'
import { findTestCall } from '#server/calls/placing/test-call.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { type CallPolicy, defaultCallPolicy } from '#server/config/policy.ts'
import { findUser } from '#server/identity/users.ts'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute, and no test number of the exchange's. */
const own = '+12125550177'
const minuteMs = 60_000
const dayMs = 24 * 3600_000

const world = keepForFile(await createWorld())
const services = { ...world.services, policy: defaultCallPolicy }
afterEach(() => reconcileCalls(world.services, 0))

const verify = (userId: string, number = own) =>
  world.db.query('insert into caller_id values ($1, $2, $3)', [userId, number, world.clock.now()])

const placeTest = (userId: string, to = own, by = services) =>
  createCallControl(by).place({ userId, to, callerId: undefined, purpose: 'test' })

/** Who has verified the number, and neither paid nor called. */
async function newUser() {
  const user = await world.addUser({ freeCall: 'available' })
  await verify(user.id)
  return user
}

async function endOf(placed: Awaited<ReturnType<typeof placeTest>>, answeredMs: number | null) {
  if (placed.kind === 'refuse') throw new Error(placed.message)
  const { callId } = placed
  const control = createCallControl(services)
  if (answeredMs !== null) await control.report({ kind: 'answered', callId })
  await control.report({
    kind: 'ended',
    callId,
    answeredMs,
    end: answeredMs === null ? 'no_answer' : 'caller_hung_up',
  })
  return callId
}

test('a call to an own number is free for a minute, is a gift of ours, and leaves the free call', async () => {
  const user = await newUser()
  const placed = await placeTest(user.id)
  expect(placed).toMatchObject({ kind: 'connect', to: own, limitMs: minuteMs })
  const callId = await endOf(placed, 90_000)
  expect(await findCall(world.db, user.id, callId)).toMatchObject({
    cost: 0,
    free: true,
    purpose: 'test',
    seconds: 60,
  })
  expect(await world.db.query('select key, amount from transfer where call_id = $1', [callId])).toEqual([
    { key: `call:${callId}:free`, amount: 20_000 },
  ])
  expect(await findUser(world.db, user.id)).toMatchObject({
    free_call: 'available',
    has_made_call: false,
    hide: false,
  })
  expect(
    await createCallControl(services).place({ userId: user.id, to: own, callerId: undefined }),
  ).toMatchObject({ kind: 'connect', limitMs: 5 * minuteMs })
})

test('allows one in seven days, counted from the last that was answered', async () => {
  const user = await newUser()
  await endOf(await placeTest(user.id), 10_000)
  expect(await placeTest(user.id)).toEqual({
    kind: 'refuse',
    code: 'test_call',
    message: "You've used this week's test call. The next one is free in 7 days.",
  })
  const { nextAt } = await findTestCall(services, user.id)
  expect(nextAt).toBe(new Date(world.clock.now().getTime() + 7 * dayMs).toISOString())
  world.clock.advance(7 * dayMs - minuteMs)
  expect(await placeTest(user.id)).toMatchObject({ kind: 'refuse' })
  world.clock.advance(minuteMs)
  expect(await findTestCall(services, user.id)).toEqual({ nextAt: null })
  await endOf(await placeTest(user.id), 10_000)
})

test('an unanswered one is not used up, and releases no reserved free call', async () => {
  const user = await newUser()
  await world.db.query(`update app_user set free_call = 'reserved' where id = $1`, [user.id])
  await endOf(await placeTest(user.id), null)
  expect(await findUser(world.db, user.id)).toMatchObject({ free_call: 'reserved' })
  expect(await placeTest(user.id)).toMatchObject({ kind: 'connect' })
})

test('of several calls placed at once one rings', async () => {
  const user = await newUser()
  const limits = defaultCallPolicy.tiers.never_paid
  const tiers = { ...defaultCallPolicy.tiers, never_paid: { ...limits, concurrentCalls: 5 } }
  const by = { ...services, policy: { ...defaultCallPolicy, tiers } }
  const placed = await Promise.all([1, 2, 3].map(() => placeTest(user.id, own, by)))
  expect(placed.filter(({ kind }) => kind === 'connect')).toHaveLength(1)
  expect(placed.flatMap(one => (one.kind === 'refuse' ? [one.code] : []))).toEqual(['test_call', 'test_call'])
})

test('it goes to numbers of this very user alone, of ordinary price', async () => {
  const [owner, stranger] = [await newUser(), await world.addUser({ credit: 5 })]
  expect(await placeTest(stranger.id)).toMatchObject({
    code: 'test_call',
    message: 'A test call goes to your own number. Verify it first, under Call from.',
  })
  const falklands = '+50021234'
  await verify(owner.id, falklands)
  expect(await placeTest(owner.id, falklands)).toMatchObject({
    code: 'test_call',
    message: 'A test call covers numbers up to $0.50 a minute. Yours costs more.',
  })
})

test('it counts as an attempt, and not as an answered call', async () => {
  const user = await newUser()
  const by = { ...services, policy: { ...defaultCallPolicy, budgets: { ...defaultBudgets, free_call: [] } } }
  await endOf(await placeTest(user.id), 10_000)
  for (let call = 0; call < 2; call += 1) {
    await world.db.query(`update app_user set free_call = 'available' where id = $1`, [user.id])
    const placed = await createCallControl(by).place({ userId: user.id, to: own, callerId: undefined })
    await endOf(placed, 1000)
  }
  await world.db.query(`update app_user set free_call = 'available' where id = $1`, [user.id])
  expect(await createCallControl(by).place({ userId: user.id, to: own, callerId: undefined })).toMatchObject({
    code: 'call_limit',
    message: expect.stringContaining('2 calls in an hour'),
  })
})

test('many accounts in one place share a few, and free calls are counted apart', async () => {
  const number = '+12125550188'
  const by = {
    ...services,
    policy: {
      ...defaultCallPolicy,
      budgets: {
        ...defaultBudgets,
        test_call: [{ per: 'address', maxUses: 2, windowSeconds: 30 * 24 * 3600 }],
      },
    } satisfies CallPolicy,
  }
  const device = services.random.uuid()
  const placed = []
  for (let account = 0; account < 3; account += 1) {
    const user = await world.addUser({ freeCall: 'available' })
    await verify(user.id, number)
    await noteOrigin(services, user.id, { address: '192.0.2.77', device })
    placed.push(await placeTest(user.id, number, by))
  }
  expect(placed.map(({ kind }) => kind)).toEqual(['connect', 'connect', 'refuse'])
  const newcomer = await world.addUser({ freeCall: 'available' })
  await noteOrigin(services, newcomer.id, { address: '192.0.2.77', device })
  const first = await createCallControl(by).place({ userId: newcomer.id, to: number, callerId: undefined })
  expect(first).toMatchObject({ kind: 'connect', limitMs: 5 * minuteMs })
})
