import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { keepForFile } from '#support/file-world.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute, and no test number. */
const american = '+12125550142'
/** About 2.70 USD a minute: more than a new customer may call. */
const falklands = '+50021234'
/** Dearer, under a prefix of its own. */
const falklandsMobile = '+50051234'
const falklandsRate = readTariff().byPrefix.get(500)?.microUsdPerMinute ?? 0

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** With the limits as they are sold. */
const world = keepForFile(await createWorld())
const services = { ...world.services, policy: defaultCallPolicy }
afterEach(() => reconcileCalls(world.services, 0))

const place = (userId: string, to = american, by = services) =>
  createCallControl(by).place({ userId, to, callerId: undefined })

test('the breaker counts other accounts, calls of its window and its own prefix, from its rate on', async () => {
  world.clock.advance(hourMs)
  const breaker = { fromRateMicroUsd: falklandsRate, accounts: 2, windowSeconds: 600, pauseSeconds: 1800 }
  const by = { ...services, policy: { ...widePolicy(), breaker } }
  const ring = async (userId: string, to: string, policy = by) => {
    const placed = await place(userId, to, policy)
    await reconcileCalls(world.services, 0)
    return placed.kind === 'connect' ? 'connect' : placed.code
  }
  const people = []
  for (let person = 0; person < 4; person += 1) people.push((await world.addUser({ credit: 9 })).id)
  const [one = '', other = '', third = '', fourth = ''] = people
  expect([await ring(one, falklands), await ring(one, falklands)]).toEqual(['connect', 'connect'])
  expect(await ring(other, falklandsMobile)).toBe('connect')
  world.clock.advance(600_000)
  expect(await ring(third, falklands)).toBe('connect')
  expect(await ring(fourth, falklands)).toBe('destination_paused')
  const higher = {
    ...by,
    policy: { ...by.policy, breaker: { ...breaker, fromRateMicroUsd: falklandsRate + 1 } },
  }
  expect(await ring(fourth, falklands, higher)).toBe('connect')

  // Accounts are counted, however often each of them calls.
  world.clock.advance(hourMs)
  const ofThree = { ...by, policy: { ...by.policy, breaker: { ...breaker, accounts: 3 } } }
  for (let call = 0; call < 3; call += 1) expect(await ring(one, falklands, ofThree)).toBe('connect')
  expect(await ring(other, falklands, ofThree)).toBe('connect')
  expect(await ring(third, falklands, ofThree)).toBe('destination_paused')
  world.clock.advance(hourMs)
})

test('a breaker that was open counts again from its closing, in a window that is longer than its pause', async () => {
  world.clock.advance(hourMs)
  const breaker = { fromRateMicroUsd: falklandsRate, accounts: 2, windowSeconds: 1200, pauseSeconds: 300 }
  const by = { ...services, policy: { ...widePolicy(), breaker } }
  const ring = async () => {
    const { id } = await world.addUser({ credit: 9 })
    const placed = await place(id, falklands, by)
    await reconcileCalls(world.services, 0)
    return placed.kind === 'connect' ? 'connect' : placed.code
  }
  expect([await ring(), await ring()]).toEqual(['connect', 'destination_paused'])
  world.clock.advance(299_999)
  expect(await ring()).toBe('destination_paused')
  world.clock.advance(1)
  expect([await ring(), await ring()]).toEqual(['connect', 'destination_paused'])
  world.clock.advance(hourMs)
})

test('twenty accounts that call one expensive prefix at the same moment are not all let through', async () => {
  const breaker = { fromRateMicroUsd: falklandsRate, accounts: 5, windowSeconds: 600, pauseSeconds: 1800 }
  const by = { ...services, policy: { ...widePolicy(), breaker } }
  const people = await Promise.all(Array.from({ length: 20 }, () => world.addUser({ credit: 9 })))
  const placed = await Promise.all(people.map(({ id }) => place(id, falklands, by)))
  expect(placed.filter(({ kind }) => kind === 'connect')).toHaveLength(4)
  world.clock.advance(hourMs)
})

test('twenty accounts that ring one expensive prefix open its breaker within a minute, and it closes by itself', async () => {
  const logged: unknown[] = []
  const policy = { ...widePolicy(), breaker: defaultCallPolicy.breaker }
  const log = { ...services.log, error: (facts: unknown) => logged.push(facts) } as unknown as Services['log']
  const limited = { ...services, policy, log }
  const people = []
  for (let person = 0; person < 21; person += 1) people.push(await world.addUser({ credit: 5 }))
  const began = world.clock.now().getTime()
  const answers = []
  for (const { id } of people.slice(0, 20)) {
    answers.push(await place(id, falklands, limited))
    world.clock.advance(2500)
  }
  const opened = answers.findIndex(answer => answer.kind === 'refuse')
  expect(opened).toBe(defaultCallPolicy.breaker.accounts - 1)
  expect(answers.slice(opened).every(answer => answer.kind === 'refuse')).toBe(true)
  expect(answers[opened]).toEqual({
    kind: 'refuse',
    code: 'destination_paused',
    message: 'Calls there are paused after unusual demand. Call again in 30 minutes.',
  })
  expect(opened * 2500).toBeLessThan(minuteMs)
  expect(logged).toEqual([expect.objectContaining({ prefix: '+500', accounts: 15 })])
  const last = people[20]?.id ?? ''
  expect(await place(last, american, limited)).toMatchObject({ kind: 'connect' })
  world.clock.advance(began + opened * 2500 + 30 * minuteMs - world.clock.now().getTime() - 1)
  await reconcileCalls(world.services, 0)
  expect(await place(last, falklands, limited)).toMatchObject({ code: 'destination_paused' })
  world.clock.advance(1)
  expect(await place(last, falklands, limited)).toMatchObject({ kind: 'connect' })
})
