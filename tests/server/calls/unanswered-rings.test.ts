import { afterEach, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { keepForFile } from '#support/file-world.ts'
import { deliver, order } from '../payments/buyer.ts'
import { createBudgetWorld, dayMs, hourMs, unrelated } from './budget-world.ts'

const world = keepForFile(await createBudgetWorld())
afterEach(() => world.endTest())

test('accounts that never paid ring one number six times in an hour and ten in a day, whoever they are', async () => {
  const users = await world.strangers(5, unrelated)
  const to = '+12125550142'
  const ring = async (user: UserRow) => {
    const placed = await world.place(user, to)
    if (placed.kind === 'connect') await world.end(placed.callId, null)
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
    message: 'Too many unanswered calls like this. Buy credits, or try again in 60 minutes.',
  })
  world.clock.advance(hourMs)
  expect(await rings()).toBe(4)
  expect(world.refusedPer()).toEqual(new Set(['unanswered_ring callee']))
  const [customer] = await world.strangers(1, unrelated)
  if (customer === undefined) throw new Error('no user')
  await deliver(world, (await order(world, customer.id, 5)).paid())
  expect(await ring(customer)).toMatchObject({ kind: 'connect' })
})

test('calls that ring at one moment get no more than calls one after the other, and an answer returns one', async () => {
  const users = await world.strangers(12, unrelated)
  const to = '+12125550142'
  const by = world.without('free_call', 'callee')
  const placed = await Promise.all(users.map(user => world.place(user, to, by)))
  const rings = placed.flatMap(one => (one.kind === 'connect' ? [one.callId] : []))
  expect(rings).toHaveLength(6)
  expect((await world.place(users[0] as UserRow, to, by)).kind).toBe('refuse')
  await world.end(rings[0] ?? '', 2000)
  expect(await world.used('unanswered_ring', 'callee')).toBe(10)
  const waiting = users.find((_, nth) => placed[nth]?.kind === 'refuse') as UserRow
  expect(await world.place(waiting, to, by)).toMatchObject({ kind: 'connect' })
})

/** Accounts that have nothing in common, each with a payment. */
async function customers(count: number): Promise<UserRow[]> {
  const users = await world.strangers(count, unrelated)
  for (const { id } of users) await deliver(world, (await order(world, id, 5)).paid())
  return users
}

test('a paying user rings one number without an answer twenty times in a day, and then learns when to try again', async () => {
  const [customer] = await customers(1)
  if (customer === undefined) throw new Error('no user')
  const to = '+12125550142'
  const ring = async (number: string, answeredMs: number | null = null) => {
    const placed = await world.place(customer, number)
    if (placed.kind === 'connect') await world.end(placed.callId, answeredMs)
    return placed
  }
  expect(await ring(to, 2000)).toMatchObject({ kind: 'connect' })
  for (let time = 0; time < 20; time += 1)
    expect([time, await ring(to)]).toMatchObject([time, { kind: 'connect' }])
  expect(await ring(to)).toEqual({
    kind: 'refuse',
    code: 'call_limit',
    message: "They didn't answer 20 calls in a day. Text them, or call again in 24 hours.",
  })
  expect(world.refusedPer()).toEqual(new Set(['unanswered_ring_paid account_to_callee']))
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
      const placed = await world.place(user, to)
      if (placed.kind === 'refuse') {
        seenHere.add(placed.message)
        continue
      }
      connected += 1
      await world.end(placed.callId, null)
    }
  expect(connected).toBe(200)
  expect([...seenHere]).toEqual([
    'Many calls there went unanswered today. Text them, or call again in 24 hours.',
  ])
})

test('one address rings forty numbers in a day that do not answer, however many accounts it has', async () => {
  const users = await world.strangers(4, (nth, group) => ({
    ...unrelated(nth, group),
    address: `2001:db8:${group}::${nth + 1}`,
  }))
  let connected = 0
  for (let time = 0; time < 15; time += 1) {
    for (const user of users) {
      const placed = await world.place(user, `+1212555${String(1000 + connected).padStart(4, '0')}`)
      if (placed.kind === 'refuse') continue
      await world.end(placed.callId, null)
      connected += 1
    }
  }
  expect(connected).toBe(40)
  expect(world.refusedPer()).toEqual(new Set(['unanswered_ring address']))
})
