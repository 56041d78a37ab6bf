import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { findUser, type UserRow } from '#server/identity/users.ts'
import { type BudgetKind, type BudgetScope, defaultBudgets } from '#server/limits/budget-policy.ts'
import type { Observation } from '#server/observability/port.ts'
import { findBreaches } from '#support/books.ts'
import { addStrangers, insist, type Stranger } from '#support/strangers.ts'
import { createWorld, type World } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

/** Calls that we pay for without being paid: free ones, and rings that nobody answers. */

/** 0.245 USD a minute, so a free call lasts two, all numbers under one prefix: what the breaker does not watch. */
const ecuador = (nth: number) => `+5939912${String(nth).padStart(5, '0')}`
const ecuadorPrefix = '5939'
const worthMicroUsd = 490_000
const hourMs = 3600_000
const dayMs = 24 * hourMs

let world: World
let services: Services
const seen: Observation[] = []
beforeAll(async () => {
  world = await createWorld()
  services = { ...world.services, policy: defaultCallPolicy, observe: one => seen.push(one) }
})
afterEach(async () => {
  await reconcileCalls(world.services, 0)
  expect(await findBreaches(world.db)).toEqual([])
  // The next test has a day and the windows of months of its own.
  world.clock.advance(40 * dayMs)
  seen.length = 0
})
afterAll(() => world.close())

let groups = 0
/** Each group of accounts has its own networks. */
function strangers(count: number, describe: (nth: number, group: string) => Stranger): Promise<UserRow[]> {
  groups += 1
  return addStrangers(world, count, nth => describe(nth, groups.toString(16)))
}
/** Nobody has anything in common with anybody. */
const unrelated = (nth: number, group: string): Stranger => ({
  email: `stranger-${group}-${nth}@example.com`,
  address: `2001:db8:${(groups * 1000 + nth).toString(16)}::1`,
})

const place = (user: UserRow, to: string, by = services) =>
  createCallControl(by).place({ userId: user.id, to, callerId: undefined })

/** All of them call at one moment, each a number of their own. @returns the ids of the calls that ring */
async function callAtOnce(users: readonly UserRow[], by = services): Promise<string[]> {
  const placed = await Promise.all(users.map((user, nth) => insist(() => place(user, ecuador(nth), by))))
  return placed.flatMap(one => (one.kind === 'connect' ? [one.callId] : []))
}

async function end(callId: string, answeredMs: number | null): Promise<void> {
  const control = createCallControl(services)
  if (answeredMs !== null) await control.report({ kind: 'answered', callId })
  const how = answeredMs === null ? 'no_answer' : 'caller_hung_up'
  await control.report({ kind: 'ended', callId, answeredMs, end: how })
}

/** What counters of a scope hold, in all open windows. */
async function used(kind: BudgetKind, per: BudgetScope): Promise<number> {
  const [row] = await world.db.query<{ used: number }>(
    `select coalesce(sum(used), 0)::bigint as used from budget_counter where kind = $1 and scope = $2 and ends_at > $3`,
    [kind, per, world.clock.now()],
  )
  return row?.used ?? 0
}

const refusedPer = () =>
  new Set(seen.flatMap(one => (one.kind === 'budget_refused' ? [`${one.budget} ${one.per}`] : [])))

function without(kind: BudgetKind, ...scopes: BudgetScope[]): Services {
  const bounds = defaultBudgets[kind].filter(({ per }) => !scopes.includes(per))
  return { ...services, policy: { ...defaultCallPolicy, budgets: { ...defaultBudgets, [kind]: bounds } } }
}

test('150 addresses of one mailbox have one free call between them, each from a network of its own, at one moment', async () => {
  const users = await strangers(150, (nth, group) => ({
    ...unrelated(nth, group),
    email: `J.o.hn+${nth}@${nth % 2 === 0 ? 'gmail' : 'googlemail'}.com`.toLowerCase(),
  }))
  const calls = await callAtOnce(users)
  expect(calls).toHaveLength(1)
  const [call] = await world.db.query<{ user_id: string }>('select user_id from call where id = $1', calls)
  const other = users.find(({ id }) => id !== call?.user_id) as UserRow
  expect(await place(other, ecuador(7))).toEqual({
    kind: 'refuse',
    code: 'free_call_limit',
    message: 'The free call of your mailbox is used. Buy credits to call it now.',
  })
  expect(refusedPer()).toEqual(new Set(['free_call mailbox']))
})

test('the accounts of one /48 have ten free calls a day between them, at one moment', async () => {
  const users = await strangers(40, (nth, group) => ({
    ...unrelated(nth, group),
    address: `2001:db8:ffff:${nth.toString(16)}::1`,
  }))
  expect(await callAtOnce(users)).toHaveLength(10)
  expect(refusedPer()).toEqual(new Set(['free_call network']))
})

test('unrelated people who call one prefix for nothing get no more than its budget, even at one moment', async () => {
  const users = await strangers(100, unrelated)
  const rings = await callAtOnce(users)
  expect(rings).toHaveLength(Math.floor(15_000_000 / worthMicroUsd))
  expect(await used('free_call', 'prefix')).toBe(rings.length * worthMicroUsd)
  expect(refusedPer()).toEqual(new Set(['free_call prefix']))
  const last = users.at(-1) as UserRow
  world.clock.advance(dayMs - (world.clock.now().getTime() % dayMs) - 3 * hourMs)
  expect(await place(last, ecuador(1))).toEqual({
    kind: 'refuse',
    code: 'free_call_limit',
    message:
      "Today's free calls to this destination are all taken. Try again in 3 hours, or buy credits to call it now.",
  })
  // Elsewhere they may, and there tomorrow.
  const [other = last] = users.slice(-2)
  expect(await place(other, '+12125550142')).toMatchObject({ kind: 'connect', limitMs: 5 * 60_000 })
  world.clock.advance(3 * hourMs)
  expect(await place(last, ecuador(1))).toMatchObject({ kind: 'connect', limitMs: 2 * 60_000 })
})

test('all free calls of a day come to its budget at most, wherever they go, and a warning comes before', async () => {
  const warned: unknown[] = []
  const log = { ...services.log, warn: (facts: unknown) => warned.push(facts) } as unknown as Services['log']
  const by = { ...without('free_call', 'prefix'), log }
  const users = await strangers(130, unrelated)
  const first = await callAtOnce(users.slice(0, 71), by)
  expect([first.length, warned]).toEqual([71, []])
  const rest = await callAtOnce(users.slice(71), by)
  expect(first.length + rest.length).toBe(Math.floor(50_000_000 / worthMicroUsd))
  expect(await used('free_call', 'everyone')).toBeLessThanOrEqual(50_000_000)
  expect(warned).toEqual([expect.objectContaining({ budget: 'free_call', max: 50_000_000 })])
  const refused = await place(users.at(-1) as UserRow, '+12125550142', by)
  // The rest of the day's budget covers a cheap one, as far as it goes.
  expect(refused).toMatchObject({ code: 'free_call_limit' })
  expect(refused).toMatchObject({
    message: expect.stringMatching(/^Today's free calls are all taken\. Try again /),
  })
  expect(refusedPer()).toEqual(new Set(['free_call everyone']))
})

test('tells a user who can pay that the free calls of the day are used up, and keeps theirs', async () => {
  const by = without('free_call', 'everyone')
  await callAtOnce(await strangers(40, unrelated), by)
  const [user] = await strangers(1, unrelated)
  if (user === undefined) throw new Error('no user')
  await deliver(world, (await order(world, user.id, 5)).paid())
  const to = ecuador(999)
  const promised = await createCallControl(by).place({
    userId: user.id,
    to,
    callerId: undefined,
    expectsFree: true,
  })
  expect(promised).toEqual({
    kind: 'refuse',
    code: 'not_free',
    message: "Today's free calls are all taken. Press Call again to pay $0.245 a minute.",
  })
  const paid = await place(user, to, by)
  if (paid.kind === 'refuse') throw new Error(paid.message)
  await end(paid.callId, 30_000)
  expect(await findUser(world.db, user.id)).toMatchObject({
    free_call: 'available',
    balance: 5_000_000 - 245_000,
  })
})

test('a free call without an answer returns its budget; an answered one counts only its worth', async () => {
  const users = await strangers(3, unrelated)
  const [unanswered = '', brief = '', long = ''] = await callAtOnce(users)
  expect(await used('free_call', 'everyone')).toBe(3 * worthMicroUsd)
  await end(unanswered, null)
  expect(await used('free_call', 'everyone')).toBe(2 * worthMicroUsd)
  expect(await used('free_call', 'mailbox')).toBe(2)
  await end(brief, 10_000)
  await end(long, 110_000)
  expect(await used('free_call', 'everyone')).toBe(245_000 + worthMicroUsd)
  expect(await used('free_call', 'prefix')).toBe(245_000 + worthMicroUsd)
  expect(await used('free_call', 'callee')).toBe(2)
  // Told again, nothing comes back twice.
  await end(unanswered, null)
  expect(await used('free_call', 'everyone')).toBe(245_000 + worthMicroUsd)
  const [again] = await callAtOnce(users)
  expect(again).toBeDefined()
  const kept = await world.db.query('select 1 from call where budget is not null and state = $1', ['ended'])
  expect(kept).toEqual([])
})

test('a call rejected for another reason uses none of any budget', async () => {
  const [user] = await strangers(1, unrelated)
  if (user === undefined) throw new Error('no user')
  const tiers = {
    ...defaultCallPolicy.tiers,
    never_paid: { ...defaultCallPolicy.tiers.never_paid, answeredPerHour: 0 },
  }
  const by = { ...services, policy: { ...defaultCallPolicy, tiers } }
  expect(await place(user, ecuador(1), by)).toMatchObject({ code: 'call_limit' })
  expect([await used('free_call', 'everyone'), await used('unanswered_ring', 'everyone')]).toEqual([0, 0])
})

test('accounts that never paid ring one number six times in an hour and ten in a day, whoever they are', async () => {
  const users = await strangers(5, unrelated)
  const to = '+12125550142'
  const ring = async (user: UserRow) => {
    const placed = await place(user, to)
    if (placed.kind === 'connect') await end(placed.callId, null)
    return placed
  }
  const rings = async () => {
    let connected = 0
    for (let time = 0; time < 8; time += 1)
      for (const user of users) if ((await ring(user)).kind === 'connect') connected += 1
    return connected
  }
  expect(await rings()).toBe(6)
  expect(await ring(users[0] as UserRow)).toEqual({
    kind: 'refuse',
    code: 'call_limit',
    message:
      'Too many calls from your connection or to this number were not answered. Try again in 60 minutes, or buy credits to call now.',
  })
  world.clock.advance(hourMs)
  expect(await rings()).toBe(4)
  expect(refusedPer()).toEqual(new Set(['unanswered_ring callee']))
  const [customer] = await strangers(1, unrelated)
  if (customer === undefined) throw new Error('no user')
  await deliver(world, (await order(world, customer.id, 5)).paid())
  expect(await ring(customer)).toMatchObject({ kind: 'connect' })
})

test('calls that ring at one moment get no more than calls one after the other, and an answer returns one', async () => {
  const users = await strangers(12, unrelated)
  const to = '+12125550142'
  const by = without('free_call', 'callee')
  const placed = await Promise.all(users.map(user => place(user, to, by)))
  const rings = placed.flatMap(one => (one.kind === 'connect' ? [one.callId] : []))
  expect(rings).toHaveLength(6)
  expect((await place(users[0] as UserRow, to, by)).kind).toBe('refuse')
  await end(rings[0] ?? '', 2000)
  expect(await used('unanswered_ring', 'callee')).toBe(10)
  const waiting = users.find((_, nth) => placed[nth]?.kind === 'refuse') as UserRow
  expect(await place(waiting, to, by)).toMatchObject({ kind: 'connect' })
})

/** Accounts that have nothing in common, each with a payment. */
async function customers(count: number): Promise<UserRow[]> {
  const users = await strangers(count, unrelated)
  for (const { id } of users) await deliver(world, (await order(world, id, 5)).paid())
  return users
}

test('a paying user rings one number without an answer twenty times in a day, and then learns when to try again', async () => {
  const [customer] = await customers(1)
  if (customer === undefined) throw new Error('no user')
  const to = '+12125550142'
  const ring = async (number: string, answeredMs: number | null = null) => {
    const placed = await place(customer, number)
    if (placed.kind === 'connect') await end(placed.callId, answeredMs)
    return placed
  }
  expect(await ring(to, 2000)).toMatchObject({ kind: 'connect' })
  for (let time = 0; time < 20; time += 1)
    expect([time, await ring(to)]).toMatchObject([time, { kind: 'connect' }])
  expect(await ring(to)).toEqual({
    kind: 'refuse',
    code: 'call_limit',
    message:
      'Nobody answered 20 of your calls to this number within a day. Write to them if you can, and call again in 24 hours.',
  })
  expect(refusedPer()).toEqual(new Set(['unanswered_ring_paid account_to_callee']))
  expect(await ring('+12125550143')).toMatchObject({ kind: 'connect' })
  world.clock.advance(dayMs)
  expect(await ring(to)).toMatchObject({ kind: 'connect' })
})

test('all paying users together ring one number without an answer two hundred times in a day', async () => {
  const users = await customers(11)
  const to = '+12125550142'
  const seenHere = new Set<string>()
  let connected = 0
  for (let time = 0; time < 19; time += 1)
    for (const user of users) {
      const placed = await place(user, to)
      if (placed.kind === 'refuse') {
        seenHere.add(placed.message)
        continue
      }
      connected += 1
      await end(placed.callId, null)
    }
  expect(connected).toBe(200)
  expect([...seenHere]).toEqual([
    'Many calls to this number were not answered today. Write to them if you can, and call again in 24 hours.',
  ])
})

test('one address rings forty numbers in a day that do not answer, however many accounts it has', async () => {
  const users = await strangers(4, (nth, group) => ({
    ...unrelated(nth, group),
    address: `2001:db8:${group}::${nth + 1}`,
  }))
  let connected = 0
  for (let time = 0; time < 15; time += 1) {
    for (const user of users) {
      const placed = await place(user, `+1212555${String(1000 + connected).padStart(4, '0')}`)
      if (placed.kind === 'refuse') continue
      await end(placed.callId, null)
      connected += 1
    }
  }
  expect(connected).toBe(40)
  expect(refusedPer()).toEqual(new Set(['unanswered_ring address']))
})

test('this very machine and the test numbers of the exchange meet none of these bounds', async () => {
  const atHome = await strangers(12, (nth, group) => ({
    email: `developer+${group}-${nth}@example.com`,
    address: nth % 2 === 0 ? '127.0.0.1' : '::1',
    device: 'the same',
  }))
  const placed = await Promise.all(atHome.map(user => place(user, ecuador(1))))
  expect(placed.map(({ kind }) => kind)).toEqual(atHome.map(() => 'connect'))
  const guests = await strangers(12, (nth, group) => ({
    email: `guest+${group}-${nth}@example.com`,
    address: '192.0.2.1',
    device: 'the same',
  }))
  const tried = await Promise.all(guests.map(user => place(user, '+12125550100')))
  expect(tried.map(({ kind }) => kind)).toEqual(guests.map(() => 'connect'))
})

test('the database reveals no mailbox, number or address, and only the prefix in clear', async () => {
  const [user] = await strangers(1, unrelated)
  if (user === undefined) throw new Error('no user')
  await place(user, ecuador(5))
  const rows = await world.db.query<{ scope: string; subject: string }>(
    'select scope, subject from budget_counter where ends_at > $1',
    [world.clock.now()],
  )
  const [account, domain] = user.email.split('@')
  const all = rows.map(({ subject }) => subject).join(' ')
  for (const secret of [account, domain, ecuador(5).slice(1), '2001:db8']) expect(all).not.toContain(secret)
  expect(rows).toContainEqual({ scope: 'prefix', subject: ecuadorPrefix })
})
