import { expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { findUser } from '#server/identity/users.ts'
import { type BudgetScope, defaultBudgets } from '#server/limits/budget-policy.ts'
import type { Observation } from '#server/observability/port.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute, and no test number. */
const american = '+12125550142'
const rate = 20_000
const dayMs = 24 * 3600_000

const world = keepForFile(await createWorld())
const { tiers } = world.services.policy
const seen: Observation[] = []

/** As sold, with any number of answered calls, and with these bounds of calls without their caller. */
function servicesWith(bounds: Partial<Record<BudgetScope, number>> = {}): Services {
  const silentAnswer = defaultBudgets.answer_unheard.map(bound => ({
    ...bound,
    maxMicroUsd: bounds[bound.per] ?? ('maxMicroUsd' in bound ? bound.maxMicroUsd : 0),
  }))
  const budgets = { ...defaultBudgets, answer_unheard: silentAnswer }
  return {
    ...world.services,
    policy: { ...defaultCallPolicy, tiers, budgets },
    observe: one => seen.push(one),
  }
}

/** A call that a carrier answers, and whose caller is never heard. @returns what was given back for it */
async function callUnheard(services: Services, userId: string, callerHeard = false): Promise<number> {
  const control = createCallControl(services)
  const { callId } = await connectCall(control, userId, american)
  world.clock.advance(2800)
  await control.report({
    ...{ kind: 'ended', callId, answeredMs: 2800, end: 'connection_lost', heard: true, callerHeard },
  })
  const [call] = await world.db.query<{ cost: number; credited: number }>(
    'select cost, credited from call where id = $1',
    [callId],
  )
  expect(call?.cost).toBe(rate)
  return call?.credited ?? 0
}

async function used(per: BudgetScope): Promise<number> {
  const [row] = await world.db.query<{ used: number }>(
    `select coalesce(sum(used), 0)::bigint as used from budget_counter
     where kind = 'answer_unheard' and scope = $1 and ends_at > $2`,
    [per, world.clock.now()],
  )
  return row?.used ?? 0
}

const balance = async (userId: string) => (await findUser(world.db, userId))?.balance
const place = (services: Services, userId: string) =>
  createCallControl(services).place({ userId, to: american, callerId: undefined })

/** Each test has a day of its own. */
const nextDay = () => world.clock.advance(40 * dayMs)

test('is charged a minute and refunded as any short call, three times in 30 days; each counts', async () => {
  nextDay()
  const services = servicesWith()
  const user = await world.addUser({ credit: 5 })
  const given = []
  for (let i = 0; i < 5; i += 1) given.push(await callUnheard(services, user.id))
  expect(given).toEqual([rate, rate, rate, 0, 0])
  expect(await balance(user.id)).toBe(5_000_000 - 2 * rate)
  for (const per of ['account', 'prefix', 'everyone'] as const) expect(await used(per)).toBe(5 * rate)
})

test('counts none in which the caller was heard', async () => {
  nextDay()
  const user = await world.addUser({ credit: 5 })
  expect(await callUnheard(servicesWith(), user.id, true)).toBe(rate)
  expect(await used('everyone')).toBe(0)
})

test('an account beyond its bound places no call until its day is over; nobody else is held up', async () => {
  nextDay()
  const services = servicesWith({ account: 2 * rate })
  const user = await world.addUser({ credit: 5 })
  for (const credited of [rate, rate, 0]) expect(await callUnheard(services, user.id)).toBe(credited)
  expect(await place(services, user.id)).toMatchObject({ kind: 'refuse', code: 'call_limit' })
  const other = await world.addUser({ credit: 5 })
  expect(await callUnheard(services, other.id)).toBe(rate)
  world.clock.advance(dayMs)
  expect(await place(services, user.id)).toMatchObject({ kind: 'connect' })
})

test.each(['prefix', 'everyone'] as const)(
  'beyond the bound of %s refunds stop, and calls go on',
  async per => {
    nextDay()
    const services = servicesWith({ [per]: 2 * rate })
    const users = await Promise.all([1, 2, 3, 4].map(() => world.addUser({ credit: 5 })))
    const given = []
    for (const { id } of users) given.push(await callUnheard(services, id))
    expect(given).toEqual([rate, rate, 0, 0])
    expect(await place(services, users[0]?.id ?? '')).toMatchObject({ kind: 'connect' })
  },
)

test('many at once are refunded within the bounds', async () => {
  nextDay()
  const services = servicesWith({ everyone: 5 * rate })
  const users = await Promise.all(Array.from({ length: 12 }, () => world.addUser({ credit: 5 })))
  const control = createCallControl(services)
  const calls = await Promise.all(users.map(({ id }) => connectCall(control, id, american)))
  await Promise.all(
    calls.map(({ callId }) =>
      control.report({
        ...{ kind: 'ended', callId, answeredMs: 2800, end: 'connection_lost', callerHeard: false },
      }),
    ),
  )
  const [row] = await world.db.query<{ given: number }>(
    'select sum(credited)::bigint as given from call where id = any($1::uuid[])',
    [calls.map(({ callId }) => callId)],
  )
  expect(row?.given).toBe(5 * rate)
  expect(await used('everyone')).toBe(12 * rate)
})

test('a free call without its caller stays free within the budget of short free calls', async () => {
  nextDay()
  const services = servicesWith()
  const control = createCallControl(services)
  const user = await world.addUser({ freeCall: 'available' })
  for (const expected of ['available', 'available', 'used']) {
    const { callId } = await connectCall(control, user.id, american)
    await control.report({
      ...{ kind: 'ended', callId, answeredMs: 2800, end: 'connection_lost', callerHeard: false },
    })
    expect((await findUser(world.db, user.id))?.free_call).toBe(expected)
  }
  expect(await used('everyone')).toBe(0)
})

test.each([
  [10_000, 13_000, undefined],
  [10_000, 13_001, 'more'],
  [10_000, 6999, 'less'],
  [null, null, undefined],
  [null, 2999, undefined],
  [null, 14_300, 'more'],
] as const)(
  'a call of %s ms that the edge recorded with %s ms: %s',
  async (answeredMs, recordedMs, edgeHas) => {
    nextDay()
    const services = servicesWith()
    const control = createCallControl(services)
    const user = await world.addUser({ credit: 5 })
    const placed = await place(services, user.id)
    if (placed.kind === 'refuse') throw new Error(placed.code)
    const { callId } = placed
    if (answeredMs !== null) await control.report({ kind: 'answered', callId })
    seen.length = 0
    // Nothing is known of a call that is not settled.
    await control.report({ kind: 'recorded', callId, answeredMs: 99_000 })
    await control.report({ kind: 'ended', callId, answeredMs, end: 'caller_hung_up' })
    await control.report({ kind: 'recorded', callId, answeredMs: recordedMs })
    const differences = seen.filter(({ kind }) => kind === 'call_record_differs')
    expect(differences).toEqual(edgeHas === undefined ? [] : [{ kind: 'call_record_differs', edgeHas }])
  },
)
