import { afterEach, describe, expect, test } from 'vitest'
import { company } from '#lib/company.ts'
import { giveUpLateCredits } from '#server/accounts/retention/clear-deleted.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/port.ts'
import { createLog } from '#server/http/log.ts'
import { abandonedMs, reconcileDaily } from '#server/reconciliation/reconcile-daily.ts'
import { reconcileEverything, silentCallMs } from '#server/reconciliation/reconcile-report.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { american, mailsTo } from '../payments/top-up-customer.ts'
import { buy, dayMs, differences, endComparison } from './both-sides.ts'

const world = keepForFile(await createWorld())
afterEach(() => endComparison(world))

test('nothing differs where calls, meter, ledger and provider agree', async () => {
  await buy(world)
  const user = await world.addUser({ credit: 1, freeCall: 'available' })
  await (await connectCall(world.control, user.id, american)).end(61_000)
  const live = await connectCall(world.control, user.id, american)
  const report = await reconcileEverything(world.services)
  expect(report).toMatchObject({ compared: 1, notCompared: 0, differences: [] })
  expect(report.transfers).toBeGreaterThan(3)
  await live.end(1000)
})

test('a meter that runs on after its call is a broken invariant of the books, with its rows', async () => {
  const user = await world.addUser({ credit: 1 })
  const call = await connectCall(world.control, user.id, american)
  await call.end(1000)
  const setDue = (at: Date | null) =>
    world.db.query('update call_meter set next_charge_at = $2 where call_id = $1', [call.callId, at])
  await setDue(world.clock.now())
  expect(await differences(world)).toEqual([
    {
      kind: 'books',
      text: `Broken, 1 times: I4 nothing is charged any more for a call that has ended. {"subject":"${call.callId}"}`,
    },
  ])
  await setDue(null)
})

test('reports a live call without heartbeat, and a minute of it that nobody charged', async () => {
  const user = await world.addUser({ credit: 5 })
  const { callId, end } = await connectCall(world.control, user.id, american)
  const since = world.clock.now().toISOString()
  world.clock.advance(silentCallMs - 1)
  expect(await differences(world)).toEqual([])
  world.clock.advance(1)
  const silent = {
    kind: 'call',
    text: `Call ${callId} counts as live, and its process (the-only-process) wrote no heartbeat since ${since}.`,
  }
  expect(await differences(world)).toEqual([silent])
  // Its second minute, which began after 60 s, is as late by now.
  world.clock.advance(60_001)
  expect(await differences(world)).toEqual([
    silent,
    { kind: 'meter', text: `Call ${callId} has a minute that is due and was not charged.` },
  ])
  await end(1000)
})

test('reports a call on a shared network that has not been confirmed as running for long', async () => {
  const user = await world.addUser({ credit: 5, freeCall: 'available' })
  const { callId, end } = await connectCall(world.control, user.id, american)
  await world.db.query(`update call set carrier_leg = 'leg', node = null where id = $1`, [callId])
  const since = world.clock.now().toISOString()
  world.clock.advance(silentCallMs)
  expect(await differences(world)).toEqual([
    {
      kind: 'call',
      text: `Call ${callId} counts as live, and its network has not said so since ${since}.`,
    },
  ])
  await end(1000)
})

test('a call that is charged has a meter, and a free one has none', async () => {
  const user = await world.addUser({ credit: 5, freeCall: 'available' })
  for (const [free, text] of [
    [true, 'is charged and has no meter'],
    [false, 'is free and has a meter'],
  ] as const) {
    const { callId, end } = await connectCall(world.control, user.id, american)
    const setFree = (value: boolean) =>
      world.db.query('update call set free = $2 where id = $1', [callId, value])
    expect(await differences(world)).toEqual([])
    await setFree(!free)
    expect(await differences(world)).toEqual([{ kind: 'meter', text: `Call ${callId} ${text}.` }])
    await setFree(free)
    await end(1000)
  }
})

describe('the daily run', () => {
  /** As another process would have them, on the same database. */
  function process(): { services: Services; logged: { level: number; msg: string }[] } {
    const logged: { level: number; msg: string }[] = []
    const log = createLog('warn', { write: line => logged.push(JSON.parse(line)) })
    return { services: { ...world.services, log }, logged }
  }
  const operatorMails = async () =>
    (await mailsTo(world, company.supportEmail)).filter(({ subject }) => subject.includes('reconciliation'))

  test('says nothing where nothing differs', async () => {
    const { services, logged } = process()
    await buy(world)
    expect(await reconcileDaily(services, giveUpLateCredits)).toBe(true)
    expect([logged, await operatorMails()]).toEqual([[], []])
  })

  test('is made once a day among all processes; what differs is logged as errors and mailed once', async () => {
    const [one, two] = [process(), process()]
    const payment = await buy(world)
    world.provider.known.set(`cs_${payment.id}`, payment.expired())
    const text = `Payment ${payment.id} is paid here with $10.00; the provider says that it expired.`
    const runs = await Promise.all([
      reconcileDaily(one.services, giveUpLateCredits),
      reconcileDaily(two.services, giveUpLateCredits),
    ])
    expect(runs.toSorted()).toEqual([false, true])
    world.clock.advance(dayMs - 1)
    expect(await reconcileDaily(process().services, giveUpLateCredits)).toBe(false)
    expect([...one.logged, ...two.logged]).toMatchObject([
      { level: 50, msg: `reconciliation: ${text}`, kind: 'payment' },
    ])
    expect(await operatorMails()).toMatchObject([
      { subject: "1 difference in today's reconciliation", text: expect.stringContaining(text) },
    ])
    world.clock.advance(1)
    expect(await reconcileDaily(one.services, giveUpLateCredits)).toBe(true)
    expect(await operatorMails()).toHaveLength(2)
  })

  test('that its process did not live to end is made by another minutes later', async () => {
    const before = (await operatorMails()).length
    const payment = await buy(world)
    world.provider.known.set(`cs_${payment.id}`, payment.expired())
    const { services } = process()
    const dies = () => Promise.reject(new Error('the process died'))
    const db: Database = {
      query: (sql, parameters) => world.db.query(sql, parameters),
      transaction: dies,
      close: dies,
    }
    await expect(reconcileDaily({ ...services, db }, giveUpLateCredits)).rejects.toThrow('the process died')
    world.clock.advance(abandonedMs - 1)
    expect(await reconcileDaily(services, giveUpLateCredits)).toBe(false)
    world.clock.advance(1)
    expect(await reconcileDaily(services, giveUpLateCredits)).toBe(true)
    expect(await operatorMails()).toHaveLength(before + 1)
  })

  test('logs when the provider could not be reached', async () => {
    await buy(world)
    world.provider.away = 'before'
    const { services, logged } = process()
    expect(await reconcileDaily(services, giveUpLateCredits)).toBe(true)
    expect(logged).toMatchObject([
      { level: 40, msg: 'reconciliation: the provider could not be reached', payments: 1 },
    ])
  })
})
