// @module-tag slow
import { describe, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import type { Services } from '#server/context.ts'
import { balanceOf, post } from '#server/ledger/ledger.ts'
import { findBreaches } from '#support/books.ts'
import { Failpoint, failAt } from '#support/failpoint.ts'
import { keepForFile } from '#support/file-world.ts'
import { addCaller, type Caller } from '#support/storm-callers.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'
const rate = 20_000

const world = keepForFile(await createWorld())

/** A use case, what stands before it, and what must stand once it has been tried again. */
interface Scenario {
  readonly name: string
  prepare(): Promise<Attempt>
}
interface Attempt {
  act(services: Services): Promise<unknown>
  /** Balance and cost in micro-dollars, state of the newest call, and so on. */
  outcome(): Promise<unknown>
  readonly expected: unknown
}

let callers = 0
async function caller(cents: number, free = false): Promise<Caller> {
  callers += 1
  return addCaller(world.services, `failpoint-${callers}`, { cents, free })
}

async function place({ id }: Caller, services = world.services): Promise<string> {
  const placement = await createCallControl(services).place({ userId: id, to: american, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  return placement.callId
}

async function answered(who: Caller): Promise<string> {
  const callId = await place(who)
  await world.control.report({ kind: 'answered', callId })
  return callId
}

async function balanceAndCalls({ id, accountId }: Caller): Promise<unknown> {
  const calls = await world.db.query(
    `select call.state, cost, call_meter.minutes, call_meter.state as meter from call
     left join call_meter on call_id = call.id where user_id = $1 order by placed_at`,
    [id],
  )
  const [user] = await world.db.query<{ free_call: string }>('select free_call from app_user where id = $1', [
    id,
  ])
  return { balance: await balanceOf(world.db, accountId), calls, freeCall: user?.free_call }
}

const ended = (callId: string, answeredMs: number) => (services: Services) =>
  createCallControl(services).report({ kind: 'ended', callId, answeredMs, end: 'caller_hung_up' })

const scenarios: readonly Scenario[] = [
  {
    name: 'a free call placed',
    prepare: async () => {
      const who = await caller(0, true)
      return {
        act: async services => {
          // A call that was committed without anybody hearing of it is settled first.
          world.clock.advance(placingGraceMs)
          await reconcileCalls(world.services, placingGraceMs)
          await place(who, services)
        },
        outcome: async () => {
          const [row] = await world.db.query(
            `select count(*)::int as live, min(free_call) as free from call join app_user on app_user.id = user_id
             where user_id = $1 and state <> 'ended'`,
            [who.id],
          )
          return row
        },
        expected: { live: 1, free: 'reserved' },
      }
    },
  },
  {
    name: 'ringing and an answer',
    prepare: async () => {
      const who = await caller(10)
      const callId = await place(who)
      return {
        act: async services => {
          const control = createCallControl(services)
          await control.report({ kind: 'ringing', callId })
          await control.report({ kind: 'answered', callId })
          await chargeDueMinutes(services)
        },
        outcome: () => balanceAndCalls(who),
        expected: {
          balance: 80_000,
          calls: [{ state: 'answered', cost: 0, minutes: 1, meter: 'running' }],
          freeCall: 'used',
        },
      }
    },
  },
  {
    name: 'a free call answered',
    prepare: async () => {
      const who = await caller(0, true)
      const callId = await place(who)
      return {
        act: services => createCallControl(services).report({ kind: 'answered', callId }),
        outcome: () => balanceAndCalls(who),
        expected: {
          balance: 0,
          calls: [{ state: 'answered', cost: 0, minutes: null, meter: null }],
          freeCall: 'used',
        },
      }
    },
  },
  {
    name: 'the second minute, and a minute that cannot be paid',
    prepare: async () => {
      const [rich, poor] = [await caller(10), await caller(4)]
      await answered(rich)
      const unpaid = await answered(poor)
      const key = `test:${unpaid}`
      const at = world.clock.now()
      await post(world.db, { key, debit: poor.accountId, credit: 'adjustments', amountMicroUsd: rate, at })
      world.clock.advance(60_001)
      return {
        act: async services => {
          await chargeDueMinutes(services)
          await recordHeartbeats(services, [unpaid])
        },
        outcome: async () => [
          await balanceAndCalls(rich),
          await balanceAndCalls(poor),
          world.network.hungUp.includes(unpaid),
        ],
        expected: [
          {
            balance: 60_000,
            calls: [{ state: 'answered', cost: 0, minutes: 2, meter: 'running' }],
            freeCall: 'used',
          },
          {
            balance: 0,
            calls: [{ state: 'answered', cost: 0, minutes: 1, meter: 'exhausted' }],
            freeCall: 'used',
          },
          true,
        ],
      }
    },
  },
  {
    name: 'a settlement that gives a minute back',
    prepare: async () => {
      const who = await caller(10)
      const callId = await answered(who)
      world.clock.advance(60_001)
      await chargeDueMinutes(world.services)
      return {
        act: ended(callId, 60_000),
        outcome: () => balanceAndCalls(who),
        expected: settledAt(80_000, 1, 2),
      }
    },
  },
  {
    name: 'a settlement of a call whose answer was lost, at the cost of three minutes',
    prepare: async () => {
      const who = await caller(10)
      const callId = await place(who)
      return {
        act: ended(callId, 150_000),
        outcome: () => balanceAndCalls(who),
        expected: settledAt(40_000, 3, 0),
      }
    },
  },
  {
    name: 'a settlement that the balance no longer covers',
    prepare: async () => {
      const who = await caller(6)
      const callId = await answered(who)
      const at = world.clock.now()
      const key = `test:${callId}`
      await post(world.db, { key, debit: who.accountId, credit: 'adjustments', amountMicroUsd: 30_000, at })
      return {
        act: ended(callId, 150_000),
        outcome: () => balanceAndCalls(who),
        expected: settledAt(0, 3, 1),
      }
    },
  },
  {
    name: 'the reconciliation of a call that died with its process',
    prepare: async () => {
      const who = await caller(10)
      const callId = await answered(who)
      world.clock.advance(65_000)
      await recordHeartbeats(world.services, [callId])
      world.clock.advance(3_600_000)
      return {
        act: services => reconcileCalls(services, 0),
        outcome: () => balanceAndCalls(who),
        expected: settledAt(60_000, 2, 1),
      }
    },
  },
]

function settledAt(balance: number, minutesCost: number, metered: number): unknown {
  const call = { state: 'ended', cost: minutesCost * rate, minutes: metered, meter: 'settled' }
  return { balance, calls: [call], freeCall: 'used' }
}

describe.each(scenarios)('$name', ({ prepare }) => {
  test.each(['before', 'after'] as const)('survives a database that fails %s any statement', async where => {
    for (let at = 1; ; at += 1) {
      const attempt = await prepare()
      const failing = failAt(world.db, at, where)
      await attempt.act({ ...world.services, db: failing.db }).catch(expectFailpoint)
      expect(await findBreaches(world.db)).toEqual([])
      await attempt.act(world.services)
      expect(await attempt.outcome()).toEqual(attempt.expected)
      expect(await findBreaches(world.db)).toEqual([])
      await settleWhatIsLeft()
      if (failing.count() < at) {
        expect(at).toBeGreaterThan(3)
        return
      }
    }
  })
})

function expectFailpoint(error: unknown): void {
  expect(error).toBeInstanceOf(Failpoint)
}

/** So that a scenario's calls do not come due in the next one. */
async function settleWhatIsLeft(): Promise<void> {
  world.clock.advance(placingGraceMs)
  await reconcileCalls(world.services, 0)
}
