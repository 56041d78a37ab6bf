import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { skipWhileClockLeapt, steadyMs } from '#server/calls/metering/clock-leap.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import type { Services } from '#server/context.ts'
import { createLog } from '#server/http/log.ts'
import { balanceOf } from '#server/ledger/ledger.ts'
import { startWorkers, workerPauses } from '#server/workers.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld, type World } from '#support/world.ts'

const hourMs = 3_600_000
const rateMicroUsd = 20_000

let world: World
let services: Services
/** How far the wall clock was set; the monotonic one never is. */
let leapMs = 0
/** The database's clock: on one machine it is the same one, and is set with it. */
let isDatabaseSet = true
const logged: string[] = []
let workers: ReturnType<typeof startWorkers>
beforeEach(async () => {
  world = await createWorld()
  leapMs = 0
  isDatabaseSet = true
  logged.length = 0
  const clock = {
    now: () => new Date(world.clock.now().getTime() + leapMs),
    monotonicMs: () => world.clock.monotonicMs(),
  }
  services = { ...world.services, clock }
  workers = startWorkers({
    services,
    mailer: { send: async () => {} },
    liveCallIds: () => [],
    log: createLog('warn', { write: text => logged.push(text) }),
    pauses: { ...workerPauses, meter: 10, jobs: 10, heartbeat: hourMs, reconcile: hourMs },
    databaseNow: async () => new Date(world.clock.now().getTime() + (isDatabaseSet ? leapMs : 0)),
  })
})
afterEach(async () => {
  await workers.stop()
  expect(await findBreaches(world.db)).toEqual([])
  await world.close()
})

test('a wall clock that leaps forward an hour charges no call for the hour, and is logged once', async () => {
  const user = await world.addUser({ credit: 5 })
  await connectCall(createCallControl(services), user.id, '+12125550100')
  const spent = async () => 5_000_000 - (await balanceOf(world.db, user.account_id))
  await expect.poll(spent).toBe(rateMicroUsd)

  leapMs = hourMs
  await sleep(500)
  expect(await spent()).toBe(rateMicroUsd)
  expect(logged.filter(line => line.includes('the wall clock has leapt'))).toHaveLength(1)

  leapMs = 0
  world.clock.advance(60_001)
  await expect.poll(spent).toBe(2 * rateMicroUsd)
})

test('a call that is answered in a leap is charged its first minute, and no other call anything', async () => {
  const talking = await world.addUser({ credit: (lowBalanceMicroUsd + 1.5 * rateMicroUsd) / 1_000_000 })
  const second = await world.addUser({ credit: 5 })
  await world.db.query('update app_user set auto_topup_enabled = true where id = $1', [talking.id])
  await connectCall(createCallControl(services), talking.id, '+12125550100')
  const balance = () => balanceOf(world.db, talking.account_id)
  const charged = lowBalanceMicroUsd + 0.5 * rateMicroUsd
  await expect.poll(balance).toBe(charged)

  leapMs = hourMs
  await connectCall(createCallControl(services), second.id, '+12125550100')
  expect(await balanceOf(world.db, second.account_id)).toBe(5_000_000 - rateMicroUsd)
  expect(await balance()).toBe(charged)
  expect(await world.db.query('select 1 from auto_topup_wish')).toEqual([])
})

const isBelieved = () => logged.join('').includes('the wall clock is trusted again')

test.each([
  ['ahead, as after a sleep,', hourMs],
  ['back', -hourMs],
])(
  'trusts a clock set %s once it is steady: meters restart, and charge nothing for the leap',
  async (_way, leap) => {
    const user = await world.addUser({ credit: 5 })
    await connectCall(createCallControl(services), user.id, '+12125550100')
    const spent = async () => 5_000_000 - (await balanceOf(world.db, user.account_id))
    await expect.poll(spent).toBe(rateMicroUsd)

    leapMs = leap
    await expect.poll(() => logged.join('')).toContain('the wall clock has leapt')
    world.clock.advance(steadyMs - 1)
    await sleep(100)
    expect(isBelieved()).toBe(false)
    world.clock.advance(1)
    await expect.poll(isBelieved).toBe(true)
    expect(logged.join('')).toContain('"movedMeters":1')
    await sleep(100)
    expect(await spent()).toBe(rateMicroUsd)
    world.clock.advance(60_001)
    await expect.poll(spent).toBe(2 * rateMicroUsd)
  },
)

test("a clock that the database's does not agree with is never believed while it is off", async () => {
  const user = await world.addUser({ credit: 5 })
  await connectCall(createCallControl(services), user.id, '+12125550100')
  const spent = async () => 5_000_000 - (await balanceOf(world.db, user.account_id))
  await expect.poll(spent).toBe(rateMicroUsd)

  isDatabaseSet = false
  leapMs = hourMs
  await expect.poll(() => logged.join('')).toContain('the wall clock has leapt')
  world.clock.advance(steadyMs)
  await expect.poll(() => logged.join('')).toContain("the wall clock has leapt away from the database's")
  world.clock.advance(hourMs)
  await sleep(100)
  expect(isBelieved()).toBe(false)
  expect(await spent()).toBe(rateMicroUsd)

  leapMs = 0
  await expect.poll(isBelieved).toBe(true)
})

test('a process that slept leaves meters alone that others have kept meanwhile', async () => {
  leapMs = hourMs
  await expect.poll(isBelieved).toBe(true)
  logged.length = 0
  const user = await world.addUser({ credit: 5 })
  const { callId } = await connectCall(createCallControl(services), user.id, '+12125550100')
  leapMs = 2 * hourMs
  await expect.poll(() => logged.join('')).toContain('the wall clock has leapt')
  // As another process has it, which did not sleep.
  const answeredMs = services.clock.now().getTime()
  await world.db.query('update call_meter set next_charge_at = $2 where call_id = $1', [
    callId,
    new Date(answeredMs + 60_001),
  ])
  for (let second = 0; second < steadyMs / 1000; second += 30) {
    world.clock.advance(30_000)
    await chargeDueMinutes(services)
  }
  await expect.poll(isBelieved).toBe(true)
  expect(logged.join('')).toContain('"movedMeters":0')
  expect(
    await world.db.query('select minutes, next_charge_at from call_meter where call_id = $1', [callId]),
  ).toEqual([{ minutes: 5, next_charge_at: new Date(answeredMs + 300_001) }])
})

test('trusts a clock that was set when there is no call to charge: the next call is charged as ever', async () => {
  leapMs = -hourMs
  await expect.poll(() => logged.join('')).toContain('the wall clock is trusted again')
  const user = await world.addUser({ credit: 5 })
  await connectCall(createCallControl(services), user.id, '+12125550100')
  await expect.poll(async () => 5_000_000 - (await balanceOf(world.db, user.account_id))).toBe(rateMicroUsd)
})

test.each([
  ['of a machine that slept is believed at once, with no call to charge', 0, hourMs, true],
  ['that was set is not, since the database has another', hourMs, 0, false],
])("by the database's own clock, a clock %s", async (_what, aheadMs, asleepMs, believed) => {
  let leapt = false
  const clock = {
    now: () => new Date(Date.now() + (leapt ? aheadMs : 0)),
    monotonicMs: () => performance.now() - (leapt ? asleepMs : 0),
  }
  let turns = 0
  const log = createLog('warn', { write: text => logged.push(text) })
  const turn = skipWhileClockLeapt(
    { db: world.db, clock },
    log,
  )(async () => {
    turns += 1
  })
  leapt = true
  await turn()
  expect(turns).toBe(believed ? 1 : 0)
  expect(isBelieved()).toBe(believed)
})
