import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disputeReason, fraudReason } from '#server/identity/block-reason.ts'
import type { PaymentUpdate } from '#server/payment-provider/port.ts'
import { receiveEvent } from '#server/payments/receive.ts'
import { findBreaches } from '#support/books.ts'
import { Failpoint, failAt } from '#support/failpoint.ts'
import { keepForFile } from '#support/file-world.ts'
import { addCaller } from '#support/storm-callers.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, deliver, order, paymentsOf } from './buyer.ts'

const world = keepForFile(await createWorld())
let callers = 0
/** Somebody with $10. */
async function newCaller() {
  callers += 1
  return addCaller(world.services, `buyer-${callers}`, { cents: 1000, free: false })
}

describe('in any order (REL-10)', () => {
  /** Every story of events, the balance that it leaves, and what it leaves the books. */
  type Story = readonly [
    name: string,
    (one: Awaited<ReturnType<typeof order>>) => PaymentUpdate[],
    object,
    object,
  ]
  const whole = { customer: 52, payments: -50, promotions: -2 }
  const callsAgain = { canCall: true, reason: null }
  const blocked = { canCall: false, reason: disputeReason }
  const stories: readonly Story[] = [
    ['paid after a decline', one => [one.declined(), one.paid()], { balance: 62, ...callsAgain }, whole],
    ['paid after it expired', one => [one.expired(), one.paid(), one.declined()], { balance: 62 }, whole],
    [
      'a part refunded',
      one => [one.paid(), one.refund(20, 'pending'), one.refund(20)],
      { balance: 41.2 },
      { customer: 31.2, payments: -30, promotions: -1.2 },
    ],
    [
      'all refunded, in two parts',
      one => [one.paid(), one.refund(20), one.refund(30, 'succeeded', `re2_${one.id}`)],
      { balance: 10 },
      {},
    ],
    [
      'a refund that failed',
      one => [one.paid(), one.refund(20, 'pending'), one.refund(20), one.refund(20, 'failed')],
      { balance: 62 },
      whole,
    ],
    [
      'disputed and lost',
      one => [one.paid(), one.dispute(50), one.dispute(50, 'lost')],
      { balance: 10, ...blocked },
      {},
    ],
    [
      'disputed and won',
      one => [one.paid(), one.dispute(50), one.dispute(50, 'won')],
      { balance: 62, ...callsAgain },
      whole,
    ],
    [
      'reported as fraud',
      one => [one.paid(), one.reported(), one.reported(`issfr_2_${one.id}`)],
      { balance: 10, canCall: false, reason: fraudReason },
      {},
    ],
    [
      'refunded and disputed for all of it',
      one => [one.paid(), one.refund(20), one.dispute(50)],
      { balance: 0, ...blocked },
      { customer: -10, dispute_losses: -10, payments: 20 },
    ],
    [
      'refunded, disputed for all of it, and won',
      one => [one.paid(), one.refund(20), one.dispute(50), one.dispute(50, 'won')],
      { balance: 41.2, ...callsAgain },
      { customer: 31.2, payments: -30, promotions: -1.2 },
    ],
  ]

  test.each(stories)('%s', async (_name, eventsOf, end, accounts) => {
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.boolean(),
        async (chance, twice) => {
          const user = await newCaller()
          const one = await order(world, user.id, 50)
          const updates = eventsOf(one)
          const events = (twice ? [...updates, ...updates] : updates)
            .map(event => ({ event, at: chance.next().value as number }))
            .sort((a, b) => a.at - b.at)
          for (const { event } of events) expect((await deliver(world, event)).ok).toBe(true)
          expect(await accountState(world, user.id)).toMatchObject(end)
          expect(await accountsOf(world, one.id)).toEqual(accounts)
          const [payment] = await paymentsOf(world, user.id)
          expect(payment).toMatchObject({ state: 'paid', failure: null })
        },
      ),
      { numRuns: 6 },
    )
  })

  test('also all at once', async () => {
    for (let time = 0; time < 5; time += 1) {
      const user = await world.addUser({ credit: 10 })
      const one = await order(world, user.id, 50)
      const updates = [one.paid(), one.refund(20), one.dispute(50), one.dispute(50, 'won'), one.expired()]
      await Promise.all([...updates, ...updates, ...updates].map(event => deliver(world, event)))
      expect(await accountState(world, user.id)).toMatchObject({ balance: 41.2, ...callsAgain })
    }
  })
})

test.each(['before', 'after'] as const)(
  'a database that fails %s any statement loses and doubles nothing',
  async where => {
    for (let at = 1; ; at += 1) {
      const user = await newCaller()
      const one = await order(world, user.id, 50, true)
      await deliver(world, one.refund(20))
      const failing = failAt(world.db, at, where)
      const { body, signature } = world.provider.event(one.paid())
      await receiveEvent({ ...world.services, db: failing.db }, Buffer.from(body), signature).catch(error =>
        expect(error).toBeInstanceOf(Failpoint),
      )
      expect(await findBreaches(world.db)).toEqual([])
      expect((await receiveEvent(world.services, Buffer.from(body), signature)).ok).toBe(true)
      expect(await accountState(world, user.id)).toMatchObject({ balance: 41.2 })
      expect(
        await world.db.query('select 1 from job where key = $1', [`mail:receipt:${one.id}`]),
      ).toHaveLength(1)
      if (failing.count() < at) {
        expect(at).toBeGreaterThan(10)
        return
      }
    }
  },
)
