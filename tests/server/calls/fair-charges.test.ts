import { expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { callReceiptOf } from '#server/calls/history/call-receipt.ts'
import { findCallRow } from '#server/calls/history/history.ts'
import { totalCalls } from '#server/calls/history/history-totals.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { settleCallBudget } from '#server/calls/placing/call-budget.ts'
import { changeCaps, findSpending } from '#server/calls/placing/spending.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import { findUser } from '#server/identity/users.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute, and no test number. */
const american = '+12125550142'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const world = keepForFile(await createWorld())
const { tiers } = world.services.policy
/** As sold, with any number of answered calls. */
const services = { ...world.services, policy: { ...defaultCallPolicy, tiers } }
const control = createCallControl(services)
const connect = (userId: string, to = american) => connectCall(control, userId, to)
const freeCallOf = async (userId: string) => (await findUser(world.db, userId))?.free_call
const balanceOf = async (userId: string) => (await findUser(world.db, userId))?.balance

let hosts = 0
async function newcomer() {
  hosts += 1
  const user = await world.addUser({ freeCall: 'available' })
  await noteOrigin(services, user.id, { address: `2001:db8:${hosts}::1`, device: services.random.uuid() })
  return user
}

async function used(kind: string, scope: string): Promise<number> {
  const [row] = await world.db.query<{ used: number }>(
    'select coalesce(sum(used), 0)::bigint as used from budget_counter where kind = $1 and scope = $2 and ends_at > $3',
    [kind, scope, world.clock.now()],
  )
  return row?.used ?? 0
}

test('a free call under 10 s stays free, twice for an account; the third time it is used up', async () => {
  const user = await newcomer()
  for (const expected of ['available', 'available', 'used']) {
    const { end } = await connect(user.id)
    expect(await freeCallOf(user.id)).toBe('used')
    await end(9999)
    expect(await freeCallOf(user.id)).toBe(expected)
  }
  expect(await balanceOf(user.id)).toBe(0)
  // What they cost us counts, each a minute, while only the last one is a use of the free call.
  expect(await used('brief_free_call', 'account')).toBe(2)
  expect(await used('brief_free_call', 'everyone')).toBe(2 * 20_000)
  expect(await used('free_call', 'mailbox')).toBe(1)
  expect(await used('free_call', 'everyone')).toBe(3 * 20_000)
})

test('a kept free call returns its counters in the order in which other calls lock them', async () => {
  const endsAt = new Date(world.clock.now().getTime() + dayMs).toISOString()
  const use = { kind: 'free_call', windowSeconds: 86_400, subject: 'one', endsAt } as const
  const held = [
    { ...use, scope: 'callee', unit: 'uses', amount: 1 },
    { ...use, scope: 'everyone', unit: 'micro_usd', amount: 100_000 },
    { ...use, scope: 'mailbox', unit: 'uses', amount: 1 },
    { ...use, kind: 'unanswered_ring', scope: 'account', unit: 'uses', amount: 1 },
  ] as const
  const locked: unknown[] = []
  const tx = {
    ...world.db,
    query: (sql: string, values: Parameters<typeof world.db.query>[1] = []) => {
      const uses: { kind: string; scope: string; quantity: number }[] = JSON.parse(String(values[0]))
      locked.push(uses.map(({ kind, scope, quantity }) => `${kind} ${scope} ${quantity}`))
      return world.db.query(sql, values)
    },
  } as typeof world.db
  const ended = { answered_at: world.clock.now(), answered_ms: 1000, rate: 20_000 }
  await settleCallBudget(tx, held, ended, true)
  // Each statement locks in order; kinds come in alphabetical order.
  expect(locked).toEqual([
    ['free_call callee 1', 'free_call everyone 80000', 'free_call mailbox 1'],
    ['unanswered_ring account 1'],
  ])
})

test('the receipt of a call too short to count says that the free call is still there, until it is made', async () => {
  const user = await newcomer()
  const leftAfter = async (callId: string) => {
    const row = await findCallRow(world.db, user.id, callId)
    return row && (await callReceiptOf(services, row)).freeCallLeft
  }
  const short = await connect(user.id)
  await short.end(9_000)
  expect(await leftAfter(short.callId)).toBe(true)
  const whole = await connect(user.id)
  await whole.end(10_000)
  expect([await leftAfter(short.callId), await leftAfter(whole.callId)]).toEqual([false, false])
})

test('a free call of 10 s is used up', async () => {
  const user = await newcomer()
  await (await connect(user.id)).end(10_000)
  expect(await freeCallOf(user.id)).toBe('used')
})

test('short free calls to one number, by many accounts, stop being kept', async () => {
  const kept = []
  for (let nth = 0; nth < 4; nth += 1) {
    const user = await newcomer()
    await (await connect(user.id, '+12125558888')).end(1000)
    kept.push(await freeCallOf(user.id))
  }
  expect(kept).toEqual(['available', 'available', 'available', 'used'])
})

test('a call that our stop cut is refunded by itself, and its user reads why', async () => {
  const user = await world.addUser({ credit: 5 })
  const { callId, end } = await connect(user.id)
  world.clock.advance(90_000)
  world.notices.length = 0
  await end(90_000, 'server_stopping')
  expect(await balanceOf(user.id)).toBe(5_000_000)
  const row = await findCallRow(world.db, user.id, callId)
  expect(row).toMatchObject({ outcome: 'interrupted', cost: 40_000, credited: 40_000 })
  if (row === undefined) return
  expect(await callReceiptOf(services, row)).toMatchObject({
    credit: { amount: 0.04, reason: 'restart' },
    claim: null,
  })
  expect(world.notices).toContainEqual(
    expect.objectContaining({
      kind: 'call_error',
      event: expect.objectContaining({
        message: 'We restarted during your call. Talked 1:30. We refunded $0.04.',
      }),
    }),
  )
})

test('so is one that died with its process; it leaves the refunds of other bad calls as they were', async () => {
  const user = await world.addUser({ credit: 5 })
  for (let nth = 0; nth < 3; nth += 1) await (await connect(user.id)).end(3000)
  const { callId } = await connect(user.id)
  world.clock.advance(20_000)
  await recordHeartbeats(services, [callId])
  world.clock.advance(placingGraceMs)
  expect(await reconcileCalls(services, placingGraceMs)).toBe(1)
  expect(await findCallRow(world.db, user.id, callId)).toMatchObject({ cost: 20_000, credited: 20_000 })
  await (await connect(user.id)).end(3000)
  expect(await balanceOf(user.id)).toBe(4_980_000)
})

test('refunds of cut calls are bounded: $1.00 of a long one, ten in 30 days, none for a restricted account', async () => {
  const user = await world.addUser({ credit: 50 })
  const long = await connect(user.id)
  world.clock.advance(52 * minuteMs)
  await long.end(52 * minuteMs, 'server_stopping')
  expect(await balanceOf(user.id)).toBe(50_000_000 - 1_040_000 + 1_000_000)
  for (let nth = 0; nth < 10; nth += 1) await (await connect(user.id)).end(11_000, 'server_stopping')
  expect(await balanceOf(user.id)).toBe(50_000_000 - 40_000 - 20_000)
  const other = await world.addUser({ credit: 5 })
  const call = await connect(other.id)
  await world.db.query('update app_user set can_call = false where id = $1', [other.id])
  await call.end(11_000, 'server_stopping')
  expect(await balanceOf(other.id)).toBe(4_980_000)
})

test('a call on a carrier whose end nobody reported is not refunded by itself: it went on without us', async () => {
  const user = await world.addUser({ credit: 5 })
  const { callId, end } = await connect(user.id)
  await world.db.query('update call set carrier_leg = $2 where id = $1', [callId, `CA${callId}`])
  await end(20_000, 'server_stopping')
  expect(await findCallRow(world.db, user.id, callId)).toMatchObject({ outcome: 'interrupted', credited: 0 })
})

test('a free call that our restart cut stays free', async () => {
  const user = await newcomer()
  const { end } = await connect(user.id, '+12125557777')
  world.clock.advance(70_000)
  await end(70_000, 'server_stopping')
  expect(await freeCallOf(user.id)).toBe('available')
})

test('a refund gives the cap of the month of its call room again, also when it comes a month later', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perMonth: 0.1 })
  const until = Date.parse((await findSpending(services, user.id)).monthEndsAt)
  world.clock.advance(until - world.clock.now().getTime() - dayMs)
  const bad = await connect(user.id)
  world.clock.advance(3 * minuteMs)
  await bad.end(3 * minuteMs)
  const spent = () => findSpending(services, user.id)
  expect(await spent()).toMatchObject({ spentThisMonth: 0.06, leftThisMonth: 0.04 })
  const last = await connect(user.id)
  expect(last.limitMs).toBe(2 * minuteMs)
  await claimCall(services, user.id, bad.callId, 'echo')
  // The cap has room again, and the running call may last longer for it.
  expect(await spent()).toMatchObject({ spentThisMonth: 0.02, leftThisMonth: 0 })
  expect(world.network.limits.at(-1)).toEqual({ callId: last.callId, limitMs: 5 * minuteMs })
  world.clock.advance(2 * minuteMs)
  await last.end(2 * minuteMs)
  expect(await totalCalls(world.db, user.id, {})).toMatchObject({ spent: 0.04, refunded: 0.06 })

  world.clock.advance(2 * dayMs)
  await (await connect(user.id)).end(minuteMs)
  await claimCall(services, user.id, last.callId, 'echo')
  expect(await spent()).toMatchObject({ spentThisMonth: 0.02, leftThisMonth: 0.08 })
  const month = { from: new Date(until - 2 * dayMs).toISOString(), to: new Date(until).toISOString() }
  expect(await totalCalls(world.db, user.id, month)).toMatchObject({ spent: 0, refunded: 0.1 })
})
