import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { findUser, type UserRow } from '#server/identity/users.ts'
import { keepForFile } from '#support/file-world.ts'
import { insist } from '#support/strangers.ts'
import { deliver, order } from '../payments/buyer.ts'
import { createBudgetWorld, dayMs, hourMs, unrelated } from './budget-world.ts'

/** 0.245 USD a minute, so a free call lasts two, all numbers under one prefix: what the breaker does not watch. */
const ecuador = (nth: number) => `+5939912${String(nth).padStart(5, '0')}`
const ecuadorPrefix = '5939'
const worthMicroUsd = 490_000

const world = keepForFile(await createBudgetWorld())
afterEach(() => world.endTest())

/** All of them call at one moment, each a number of their own. @returns the ids of the calls that ring */
async function callAtOnce(users: readonly UserRow[], by = world.services): Promise<string[]> {
  const placed = await Promise.all(
    users.map((user, nth) => insist(() => world.place(user, ecuador(nth), by))),
  )
  return placed.flatMap(one => (one.kind === 'connect' ? [one.callId] : []))
}

test('150 addresses of one mailbox have one free call between them, each from a network of its own, at one moment', async () => {
  const users = await world.strangers(150, (nth, group) => ({
    ...unrelated(nth, group),
    email: `J.o.hn+${nth}@${nth % 2 === 0 ? 'gmail' : 'googlemail'}.com`.toLowerCase(),
  }))
  const calls = await callAtOnce(users)
  expect(calls).toHaveLength(1)
  const [call] = await world.db.query<{ user_id: string }>('select user_id from call where id = $1', calls)
  const other = users.find(({ id }) => id !== call?.user_id) as UserRow
  expect(await world.place(other, ecuador(7))).toEqual({
    kind: 'refuse',
    code: 'free_call_limit',
    message: 'This e-mail address has already had its free call. Buy credits to call.',
  })
  expect(world.refusedPer()).toEqual(new Set(['free_call mailbox']))
})

test('the accounts of one /48 have ten free calls a day between them, at one moment', async () => {
  const users = await world.strangers(40, (nth, group) => ({
    ...unrelated(nth, group),
    address: `2001:db8:ffff:${nth.toString(16)}::1`,
  }))
  expect(await callAtOnce(users)).toHaveLength(10)
  expect(world.refusedPer()).toEqual(new Set(['free_call network']))
})

test('the mailboxes of one domain, which are without bound, have twenty free calls a day between them', async () => {
  const users = await world.strangers(30, (nth, group) => ({
    ...unrelated(nth, group),
    email: `nth-${nth}@of-${group}.catch-all.example`,
  }))
  expect(await callAtOnce(users)).toHaveLength(20)
  expect(world.refusedPer()).toEqual(new Set(['free_call mail_domain']))
})

test('the networks of one provider of IPv6 have forty free calls a day between them', async () => {
  const users = await world.strangers(60, (nth, group) => ({
    ...unrelated(nth, group),
    address: `2001:db8:${nth.toString(16)}::1`,
  }))
  expect(await callAtOnce(users, world.without('free_call', 'prefix'))).toHaveLength(40)
  expect(world.refusedPer()).toEqual(new Set(['free_call allocation']))
})

test('unrelated people who call one prefix for nothing get no more than its budget, even at one moment', async () => {
  const users = await world.strangers(100, unrelated)
  const rings = await callAtOnce(users)
  expect(rings).toHaveLength(Math.floor(15_000_000 / worthMicroUsd))
  expect(await world.used('free_call', 'prefix')).toBe(rings.length * worthMicroUsd)
  expect(world.refusedPer()).toEqual(new Set(['free_call prefix']))
  const last = users.at(-1) as UserRow
  world.clock.advance(dayMs - (world.clock.now().getTime() % dayMs) - 3 * hourMs)
  expect(await world.place(last, ecuador(1))).toEqual({
    kind: 'refuse',
    code: 'free_call_limit',
    message: "Today's free calls there are all taken. Try again in 3 hours, or buy credits.",
  })
  // Elsewhere they may, and there tomorrow.
  const [other = last] = users.slice(-2)
  expect(await world.place(other, '+12125550142')).toMatchObject({ kind: 'connect', limitMs: 5 * 60_000 })
  world.clock.advance(3 * hourMs)
  expect(await world.place(last, ecuador(1))).toMatchObject({ kind: 'connect', limitMs: 2 * 60_000 })
})

test('all free calls of a day come to its budget at most, wherever they go, and a warning comes before', async () => {
  const warned: unknown[] = []
  const log = {
    ...world.services.log,
    warn: (facts: unknown) => warned.push(facts),
  } as unknown as Services['log']
  const by = { ...world.without('free_call', 'prefix'), log }
  const users = await world.strangers(130, unrelated)
  const first = await callAtOnce(users.slice(0, 71), by)
  expect([first.length, warned]).toEqual([71, []])
  const rest = await callAtOnce(users.slice(71), by)
  expect(first.length + rest.length).toBe(Math.floor(50_000_000 / worthMicroUsd))
  expect(await world.used('free_call', 'everyone')).toBeLessThanOrEqual(50_000_000)
  expect(warned).toEqual([expect.objectContaining({ budget: 'free_call', max: 50_000_000 })])
  const refused = await world.place(users.at(-1) as UserRow, '+12125550142', by)
  // The rest of the day's budget covers a cheap one, as far as it goes.
  expect(refused).toMatchObject({ code: 'free_call_limit' })
  expect(refused).toMatchObject({
    message: expect.stringMatching(/^Today's free calls are all taken\. Try again /),
  })
  expect(world.refusedPer()).toEqual(new Set(['free_call everyone']))
})

test('tells a user who can pay that the free calls of the day are used up, and keeps theirs', async () => {
  const by = world.without('free_call', 'everyone')
  await callAtOnce(await world.strangers(40, unrelated), by)
  const [user] = await world.strangers(1, unrelated)
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
  const paid = await world.place(user, to, by)
  if (paid.kind === 'refuse') throw new Error(paid.message)
  await world.end(paid.callId, 30_000)
  expect(await findUser(world.db, user.id)).toMatchObject({
    free_call: 'available',
    balance: 5_000_000 - 245_000,
  })
})

test('a free call without an answer returns its budget; an answered one counts only its worth', async () => {
  const users = await world.strangers(3, unrelated)
  const [unanswered = '', brief = '', long = ''] = await callAtOnce(users)
  expect(await world.used('free_call', 'everyone')).toBe(3 * worthMicroUsd)
  await world.end(unanswered, null)
  expect(await world.used('free_call', 'everyone')).toBe(2 * worthMicroUsd)
  expect(await world.used('free_call', 'mailbox')).toBe(2)
  await world.end(brief, 10_000)
  await world.end(long, 110_000)
  expect(await world.used('free_call', 'everyone')).toBe(245_000 + worthMicroUsd)
  expect(await world.used('free_call', 'prefix')).toBe(245_000 + worthMicroUsd)
  expect(await world.used('free_call', 'callee')).toBe(2)
  // Told again, nothing comes back twice.
  await world.end(unanswered, null)
  expect(await world.used('free_call', 'everyone')).toBe(245_000 + worthMicroUsd)
  const [again] = await callAtOnce(users)
  expect(again).toBeDefined()
  const kept = await world.db.query('select 1 from call where budget is not null and state = $1', ['ended'])
  expect(kept).toEqual([])
})

test('a call rejected for another reason uses none of any budget', async () => {
  const [user] = await world.strangers(1, unrelated)
  if (user === undefined) throw new Error('no user')
  const tiers = {
    ...defaultCallPolicy.tiers,
    never_paid: { ...defaultCallPolicy.tiers.never_paid, answeredPerHour: 0 },
  }
  const by = { ...world.services, policy: { ...defaultCallPolicy, tiers } }
  expect(await world.place(user, ecuador(1), by)).toMatchObject({ code: 'call_limit' })
  expect([
    await world.used('free_call', 'everyone'),
    await world.used('unanswered_ring', 'everyone'),
  ]).toEqual([0, 0])
})

test('this very machine and the test numbers of the exchange meet none of these bounds', async () => {
  const atHome = await world.strangers(12, (nth, group) => ({
    email: `developer+${group}-${nth}@example.com`,
    address: nth % 2 === 0 ? '127.0.0.1' : '::1',
    device: 'the same',
  }))
  const placed = await Promise.all(atHome.map(user => world.place(user, ecuador(1))))
  expect(placed.map(({ kind }) => kind)).toEqual(atHome.map(() => 'connect'))
  const guests = await world.strangers(12, (nth, group) => ({
    email: `guest+${group}-${nth}@example.com`,
    address: '192.0.2.1',
    device: 'the same',
  }))
  const tried = await Promise.all(guests.map(user => world.place(user, '+12125550100')))
  expect(tried.map(({ kind }) => kind)).toEqual(guests.map(() => 'connect'))
})

test('the database reveals no mailbox, number or address, and only the prefix in clear', async () => {
  const [user] = await world.strangers(1, unrelated)
  if (user === undefined) throw new Error('no user')
  await world.place(user, ecuador(5))
  const rows = await world.db.query<{ scope: string; subject: string }>(
    'select scope, subject from budget_counter where ends_at > $1',
    [world.clock.now()],
  )
  const [account, domain] = user.email.split('@')
  const all = rows.map(({ subject }) => subject).join(' ')
  for (const secret of [account, domain, ecuador(5).slice(1), '2001:db8']) expect(all).not.toContain(secret)
  expect(rows).toContainEqual({ scope: 'prefix', subject: ecuadorPrefix })
})
