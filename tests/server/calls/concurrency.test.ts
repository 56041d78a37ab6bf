import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { logout, refresh } from '#server/accounts/sign-in/sign-in.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import type { Db } from '#server/db/port.ts'
import { startSession } from '#server/identity/refresh-token.ts'
import { post } from '#server/ledger/ledger.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'

/**
 * Use cases that lock the same rows, run against each other many times. On PostgreSQL two that lock in
 * different orders end in a deadlock (40P01), which fails the use case and so the test.
 */

/** 0.02 USD a minute. */
const american = '+12125550100'
/** The embedded database runs one transaction at a time: more rounds would find no other order there. */
const rounds = inject('engine')?.kind === 'postgres' ? 40 : 10

const world = keepForFile(await createWorld())

async function manyTimes(round: (turn: number) => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < rounds; turn += 1) await round(turn)
}

const liveCalls = async () =>
  (await world.db.query<{ id: string }>(`select id from call where state <> 'ended'`)).map(row => row.id)

test('placing a call against settling the one before', async () => {
  const user = await world.addUser({ credit: 20 })
  const attempt = { userId: user.id, to: american, callerId: undefined }
  await manyTimes(async () => {
    const call = await connectCall(world.control, user.id, american)
    const placed = await Promise.all([
      world.control.place(attempt),
      call.end(10_000),
      world.control.place(attempt),
      call.end(10_000),
    ])
    const connected = placed.flatMap(answer => (answer?.kind === 'connect' ? [answer.callId] : []))
    expect(connected.length).toBeLessThanOrEqual(1)
    for (const callId of connected) {
      await world.control.report({ kind: 'ended', callId, answeredMs: null, end: 'caller_hung_up' })
    }
  })
})

test('presses at the same instant start one call, however slow each statement is', async () => {
  const user = await world.addUser({ credit: 20 })
  const slow = (db: Db): Db => ({
    query: async (sql, parameters) => {
      await sleep(20)
      return db.query(sql, parameters)
    },
    transaction: work => db.transaction(tx => work({ ...slow(tx), script: sql => tx.script(sql) })),
  })
  const db = { ...slow(world.db), close: () => world.db.close() }
  const control = createCallControl({ ...world.services, db })
  const attempt = { userId: user.id, to: american, callerId: undefined }
  const placed = await Promise.all([1, 2, 3].map(() => control.place(attempt)))
  const connected = placed.flatMap(answer => (answer.kind === 'connect' ? [answer.callId] : []))
  expect(connected).toHaveLength(1)
  for (const callId of connected) {
    await world.control.report({ kind: 'ended', callId, answeredMs: null, end: 'caller_hung_up' })
  }
})

/** On PostgreSQL. The embedded database lets nobody else begin while a transaction runs. */
async function somebodyWaits(tx: Db): Promise<void> {
  if (world.databaseUrl === undefined) return
  const waiting = () => tx.query('select pid from pg_locks where not granted')
  await expect.poll(waiting, { timeout: 20_000 }).not.toEqual([])
}

test('a minute whose money is withdrawn meanwhile is not paid, and the meter continues', async () => {
  const user = await world.addUser({ credit: 0.04 })
  const call = await connectCall(world.control, user.id, american)
  world.clock.advance(60_001)
  const { charging } = await world.db.transaction(async tx => {
    const taken = { debit: user.account_id, credit: 'adjustments', amountMicroUsd: 20_000 } as const
    await post(tx, { ...taken, key: `test:${call.callId}`, at: world.clock.now() })
    const charging = chargeDueMinutes(world.services)
    await somebodyWaits(tx)
    return { charging }
  })
  expect(await charging).toBe(1)
  const [meter] = await world.db.query('select minutes, state from call_meter where call_id = $1', [
    call.callId,
  ])
  expect(meter).toEqual({ minutes: 1, state: 'exhausted' })
  await call.end(60_500)
})

test('a settlement whose money is withdrawn meanwhile takes what is left, and the rest is our loss', async () => {
  const user = await world.addUser({ credit: 0.06 })
  const placement = await world.control.place({ userId: user.id, to: american, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  const { callId } = placement
  const { settling } = await world.db.transaction(async tx => {
    const taken = { debit: user.account_id, credit: 'adjustments', amountMicroUsd: 30_000 } as const
    await post(tx, { ...taken, key: `test:${callId}`, at: world.clock.now() })
    const settling = world.control.report({
      kind: 'ended',
      callId,
      answeredMs: 60_001,
      end: 'callee_hung_up',
    })
    await somebodyWaits(tx)
    return { settling }
  })
  await settling
  const charges = await world.db.query('select key, amount from transfer where call_id = $1 order by id', [
    callId,
  ])
  expect(charges).toEqual([
    { key: `call:${callId}:settlement`, amount: 30_000 },
    { key: `call:${callId}:settlement:loss`, amount: 10_000 },
  ])
})

test('a call that waits to be placed is measured by the balance that it finds, not by the one before', async () => {
  const user = await world.addUser({ credit: 1 })
  const taken = { debit: user.account_id, credit: 'adjustments', amountMicroUsd: 960_000 } as const
  const { placing } = await world.db.transaction(async tx => {
    await tx.query('select id from app_user where id = $1 for update', [user.id])
    const placing = world.control.place({ userId: user.id, to: american, callerId: undefined })
    await somebodyWaits(tx)
    await post(tx, { ...taken, key: `test:${user.id}`, at: world.clock.now() })
    return { placing }
  })
  const placement = await placing
  expect(placement).toMatchObject({ kind: 'connect', limitMs: 120_000 })
  await reconcileCalls(world.services, 0)
})

test('the meter, the heartbeat and a credit against settling, with several calls of one account', async () => {
  const services = { ...world.services, policy: widePolicy({ concurrentCalls: 10 }) }
  const control = { ...world.control, place: createCallControl(services).place }
  const people = await Promise.all([world.addUser({ credit: 20 }), world.addUser({ credit: 20 })])
  await manyTimes(async () => {
    const calls = []
    for (const { id } of [...people, ...people]) calls.push(await connectCall(control, id, american))
    const ids = calls.map(call => call.callId)
    world.clock.advance(61_000)
    await Promise.all([
      ...calls.map(call => call.end(61_000)),
      ...Array.from({ length: 3 }, () => chargeDueMinutes(services)),
      recordHeartbeats(services, ids),
      recordHeartbeats(services, ids.toReversed()),
      creditAccount(services, {
        requestId: services.random.uuid(),
        email: people[0].email,
        amountMicroUsd: 40_000,
        reason: 'a test',
        actor: 'test',
      }),
    ])
    expect(await liveCalls()).toEqual([])
  })
})

test('the answer, the end and the reconciliation of one call at once', async () => {
  const user = await world.addUser({ credit: 20 })
  await manyTimes(async () => {
    const placement = await world.control.place({ userId: user.id, to: american, callerId: undefined })
    if (placement.kind === 'refuse') throw new Error(placement.code)
    const { callId } = placement
    const end = { kind: 'ended', callId, answeredMs: 5000, end: 'callee_hung_up' } as const
    await Promise.all([
      world.control.report({ kind: 'answered', callId }),
      world.control.report(end),
      reconcileCalls(world.services, 0),
      chargeDueMinutes(world.services),
      world.control.report({ kind: 'answered', callId }),
      world.control.report(end),
    ])
    expect(await liveCalls()).toEqual([])
  })
})

test('renewing a session in several tabs against signing out: nothing outlives it', async () => {
  const user = await world.addUser()
  const { services } = world
  await manyTimes(async () => {
    const { token } = await startSession(
      world.db,
      { clock: world.clock, random: services.random, keys: services.keys },
      user.id,
    )
    await Promise.all([
      refresh(services, token),
      logout(services, token),
      refresh(services, token),
      logout(services, token),
      refresh(services, token),
    ])
    expect(
      await world.db.query('select 1 from refresh_token where user_id = $1 and revoked_at is null', [
        user.id,
      ]),
    ).toEqual([])
  })
})
