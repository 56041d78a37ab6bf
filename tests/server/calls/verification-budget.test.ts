import { afterEach, expect, test } from 'vitest'
import { settleVerification, startVerification } from '#server/calls/caller-ids/caller-id-verification.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import type { UserRow } from '#server/identity/users.ts'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import type { Observation } from '#server/observability/port.ts'
import { keepForFile } from '#support/file-world.ts'
import { addStrangers, insist } from '#support/strangers.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

/** Calls that verify a caller ID: nobody pays us for them. */

/** 3.30 USD a minute. */
const falklandsMobile = '+50051234'
/** 0.22 USD a minute. */
const nigerian = '+2348031234567'
/** 0.25 USD and more a minute, so the breaker watches it. */
const watched = '+254712345678'
const british = (nth: number) => `+4477009${String(nth).padStart(5, '0')}`
const dayMs = 24 * 3600_000

const seen: Observation[] = []
const world = keepForFile(await createWorld())
const services: Services = { ...world.services, policy: defaultCallPolicy, observe: one => seen.push(one) }
afterEach(() => {
  world.clock.advance(2 * dayMs)
  seen.length = 0
})

let people = 0
/** Accounts that never paid, and the network that each of them asks from. */
async function newPeople(count: number, addressOf = (nth: number) => `2001:${nth.toString(16)}:1::1`) {
  const first = people
  people += count
  const users = await addStrangers(world, count, nth => ({
    email: `verifier@mail-${first + nth}.example`,
    address: addressOf(first + nth),
  }))
  return users.map((user, nth) => ({ user, address: addressOf(first + nth) }))
}
async function newPerson() {
  const [person] = await newPeople(1)
  if (person === undefined) throw new Error('nobody')
  return person
}

const verify = (
  { user, address }: { user: UserRow; address: string },
  number: string,
  by = services,
  device = services.random.uuid(),
) => startVerification(by, user.id, number, { address, device })

const rung = () => world.network.verifications.map(({ number }) => number)

test('two fresh accounts have no mobile rung that costs $3.30 a minute, nor one of $0.22 before they paid', async () => {
  for (const person of await newPeople(2))
    for (const number of [falklandsMobile, nigerian])
      expect(await verify(person, number)).toEqual({ ok: false, code: 'rate_limit', tier: 'never_paid' })
  expect(rung()).not.toContain(falklandsMobile)
  expect(rung()).not.toContain(nigerian)
  expect(await world.db.query('select 1 from verification_call')).toEqual([])
  const counted = await world.db.query(`select 1 from budget_counter where kind = 'verification_call'`)
  expect(counted).toEqual([])
})

test('once they paid, the highest rate of their tier holds', async () => {
  const person = await newPerson()
  await deliver(world, (await order(world, person.user.id, 5)).paid())
  expect(await verify(person, falklandsMobile)).toEqual({ ok: false, code: 'rate_limit', tier: 'newly_paid' })
  expect(await verify(person, nigerian)).toMatchObject({ ok: true })
})

test('verification calls open the breaker of a watched prefix as calls do, and wait while it is open', async () => {
  const breaker = { ...defaultCallPolicy.breaker, accounts: 3 }
  const by = { ...services, policy: { ...defaultCallPolicy, breaker } }
  const paid = await newPeople(4)
  for (const { user } of paid) await deliver(world, (await order(world, user.id, 5)).paid())
  const [one, two, three, four] = paid
  if (one === undefined || two === undefined || three === undefined || four === undefined) throw new Error()
  expect(await verify(one, watched, by)).toMatchObject({ ok: true })
  expect(await verify(two, '+254712345679', by)).toMatchObject({ ok: true })
  const place = (user: UserRow) =>
    createCallControl(by).place({ userId: user.id, to: watched, callerId: undefined })
  expect(await place(three.user)).toMatchObject({ kind: 'refuse', code: 'destination_paused' })
  const before = rung().length
  expect(await verify(four, '+254712345670', by)).toEqual({
    ok: false,
    code: 'destination_paused',
    waitMs: breaker.pauseSeconds * 1000,
  })
  expect(rung()).toHaveLength(before)
})

test('one address has ten verification calls a day and one /48 thirty, at one moment, whoever asks', async () => {
  const limits = { address: 10, network: 30 }
  const together = await newPeople(14, () => '2001:db8:f:1::1')
  const first = await Promise.all(together.map((person, nth) => verify(person, british(nth))))
  expect(first.filter(({ ok }) => ok)).toHaveLength(limits.address)
  const around = await newPeople(30, nth => `2001:db8:f:${(nth + 16).toString(16)}::1`)
  const rest = await Promise.all(around.map((person, nth) => verify(person, british(100 + nth))))
  expect(rest.filter(({ ok }) => ok)).toHaveLength(limits.network - limits.address)
  expect(await verify(await newPerson(), british(500))).toMatchObject({ ok: true })
})

test('one browser and one mailbox have five a day, with any number of accounts', async () => {
  const device = services.random.uuid()
  const people = await newPeople(8)
  let started = 0
  for (const [nth, person] of people.entries())
    if ((await verify(person, british(nth), services, device)).ok) started += 1
  expect(started).toBe(5)
  const addresses = await addStrangers(world, 8, nth => ({
    email: `many+${nth}@example.com`,
    address: `2001:db8:e${nth}::1`,
  }))
  const answers = await Promise.all(
    addresses.map((user, nth) => verify({ user, address: `2001:db8:e${nth}::1` }, british(200 + nth))),
  )
  expect(answers.filter(({ ok }) => ok)).toHaveLength(5)
})

test('limits all verification calls of a day, and those to one prefix, to their budgets', async () => {
  const nigeria = (nth: number) => `+23480312345${String(nth).padStart(2, '0')}`
  const policy = { ...defaultCallPolicy, unpaidVerificationMaxRateMicroUsd: 1_000_000 }
  const everyone = await newPeople(95)
  const askAll = (by: Services) =>
    Promise.all(everyone.map((person, nth) => insist(() => verify(person, nigeria(nth), by))))
  const toOne = await askAll({ ...services, policy })
  expect(toOne.filter(({ ok }) => ok)).toHaveLength(Math.floor(3 / 0.22))
  expect(toOne.find(({ ok }) => !ok)).toMatchObject({ code: 'budget_spent', spent: { per: 'prefix' } })

  world.clock.advance(2 * dayMs)
  const bounds = defaultBudgets.verification_call.filter(({ per }) => per !== 'prefix')
  const toAny = await askAll({
    ...services,
    policy: { ...policy, budgets: { ...defaultBudgets, verification_call: bounds } },
  })
  expect(toAny.filter(({ ok }) => ok)).toHaveLength(Math.floor(20 / 0.22))
  expect(toAny.find(({ ok }) => !ok)).toMatchObject({ code: 'budget_spent', spent: { per: 'everyone' } })
  expect(seen).toContainEqual({ kind: 'budget_refused', budget: 'verification_call', per: 'everyone' })
})

test('a call that was made counts however it ended, one that was not made returns its budget', async () => {
  const person = await newPerson()
  world.network.takesVerifications = false
  expect(await verify(person, british(700))).toEqual({ ok: false, code: 'unavailable' })
  world.network.takesVerifications = true
  const used = async () =>
    (
      await world.db.query<{ used: number }>(
        `select used from budget_counter where kind = 'verification_call' and scope = 'everyone' and ends_at > $1`,
        [world.clock.now()],
      )
    )[0]?.used
  expect(await used()).toBe(0)
  expect(await verify(person, british(700))).toMatchObject({ ok: true })
  const { verificationId } = world.network.verifications.at(-1) ?? { verificationId: '' }
  await settleVerification(services, { verificationId, outcome: 'no_answer' })
  expect(await used()).toBe(22_000)
})
