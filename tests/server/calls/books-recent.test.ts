import { afterAll, expect, test } from 'vitest'
import type { Db, Parameter } from '#server/db/port.ts'
import { checkRecentBooks, settledAfterMs } from '#server/ledger/books/recent.ts'
import { post } from '#server/ledger/ledger.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld, type World } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

const dayMs = 24 * 3600_000
const american = '+12125550100'

// Not kept for the file: these tests damage the books.
const world = await createWorld()
afterAll(() => world.close())

async function makeCall(userId: string): Promise<string> {
  const call = await connectCall(world.control, userId, american)
  await call.end(10_000)
  return call.callId
}

/** The daily check, with the statements that it made. */
async function check(): Promise<{ transfers: number; invariants: string[]; renewals: number; db: Db }> {
  let renewals = 0
  const { transfers, breaches } = await checkRecentBooks(world.db, world.clock, async () => {
    renewals += 1
  })
  return { transfers, invariants: breaches.map(({ invariant }) => invariant), renewals, db: world.db }
}

/** Changes what the database guards against. */
async function force(...statements: readonly string[]): Promise<void> {
  await forceIn(world, statements)
}

async function forceIn({ db }: World, statements: readonly string[]): Promise<void> {
  await db.transaction(async tx => {
    await tx.script('alter table account disable trigger user; alter table transfer disable trigger user')
    for (const statement of statements) await tx.query(statement)
    await tx.script('alter table account enable trigger user; alter table transfer enable trigger user')
  })
}

test('each transfer is read once, once it is settled, and its account from where it was right', async () => {
  const user = await world.addUser({ credit: 5 })
  await makeCall(user.id)
  expect(await check()).toMatchObject({ transfers: 0, invariants: [] })
  world.clock.advance(settledAfterMs)
  expect(await check()).toMatchObject({ transfers: 2, invariants: [] })
  const [checkpoint] = await world.db.query('select balance from account_checkpoint where account_id = $1', [
    user.account_id,
  ])
  expect(checkpoint).toEqual({ balance: 4_980_000 })
  await makeCall(user.id)
  await deliver(world, (await order(world, user.id, 20)).paid())
  world.clock.advance(dayMs)
  const second = await check()
  expect(second).toMatchObject({ transfers: 2, invariants: [] })
  expect(second.renewals).toBeGreaterThan(10)
})

test('a balance that was changed by hand is found, each day until it is right', async () => {
  const user = await world.addUser({ credit: 5 })
  world.clock.advance(dayMs)
  expect(await check()).toMatchObject({ invariants: [] })
  await makeCall(user.id)
  await force(`update account set balance = balance + 1 where id = ${user.account_id}`)
  for (let day = 0; day < 3; day += 1) {
    world.clock.advance(dayMs)
    const { invariants } = await check()
    expect(invariants).toEqual([
      'I1 every transfer has a debit and a credit, and the balances are their sums',
    ])
  }
  await force(`update account set balance = balance - 1 where id = ${user.account_id}`)
  world.clock.advance(dayMs)
  expect(await check()).toMatchObject({ invariants: [] })
  expect(await world.db.query('select 1 from books_breach')).toEqual([])
})

test('a call that cost nothing in the books but is wrong is found by when it was placed', async () => {
  const user = await world.addUser({ credit: 5 })
  world.clock.advance(dayMs)
  await check()
  const { callId } = await (async () => {
    const placed = await world.control.place({ userId: user.id, to: american, callerId: undefined })
    if (placed.kind === 'refuse') throw new Error(placed.code)
    await world.control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'no_answer' })
    return placed
  })()
  await world.db.query('update call set answered_ms = 1000 where id = $1', [callId])
  world.clock.advance(dayMs)
  expect((await check()).invariants).toContain(
    'I4 an ended call was charged ceil(answered seconds / 60) x rate, or 0 when free or unanswered',
  )
  await world.db.query('update call set answered_ms = null where id = $1', [callId])
  world.clock.advance(30 * dayMs)
  expect(await check()).toMatchObject({ invariants: [] })
})

test('a refund that took nothing back is found, though no transfer says so', async () => {
  const user = await world.addUser()
  const payment = await order(world, user.id, 20)
  await deliver(world, payment.paid())
  world.clock.advance(40 * dayMs)
  await check()
  await world.db.query(
    `insert into refund (ref, intent_ref, payment_id, amount, state, created_at)
     values ('re_lost', $1, $2, 5000000, 'succeeded', $3)`,
    [payment.intentRef, payment.id, world.clock.now()],
  )
  world.clock.advance(dayMs)
  expect((await check()).invariants).toEqual([
    'I3 what was taken back of a payment is what its refunds and disputes come to',
  ])
  await world.db.query(`delete from refund where ref = 're_lost'`)
  world.clock.advance(dayMs)
  expect(await check()).toMatchObject({ invariants: [] })
  expect(await findBreaches(world.db)).toEqual([])
})

test.each(['dispute', 'refund'] as const)(
  'a %s that was undone long after it came, and gave nothing back, is found',
  async table => {
    const own = await createWorld()
    const invariantsNow = async () =>
      (await checkRecentBooks(own.db, own.clock, async () => {})).breaches.map(({ invariant }) => invariant)
    try {
      const user = await own.addUser()
      const payment = await order(own, user.id, 20)
      await deliver(own, payment.paid())
      const [taken, undone] =
        table === 'dispute'
          ? [payment.dispute(5), payment.dispute(5, 'won')]
          : [payment.refund(5), payment.refund(5, 'failed')]
      await deliver(own, taken)
      own.clock.advance(40 * dayMs)
      expect(await invariantsNow()).toEqual([])
      await deliver(own, undone)
      await forceIn(own, [
        `delete from transfer where key ~ '^${table}:.*:(won|failed)'`,
        `update account set balance = 15000000 where id = ${user.account_id}`,
      ])
      own.clock.advance(dayMs)
      expect(await invariantsNow()).toEqual([
        'I3 what was taken back of a payment is what its refunds and disputes come to',
      ])
    } finally {
      await own.close()
    }
  },
)

test('compares the outcome of a referral that was decided long ago with its row', async () => {
  const [referrer, referee] = [await world.addUser(), await world.addUser()]
  await world.db.query(
    'insert into referral (referee_id, referrer_id, joined_at, decided_at) values ($1, $2, $3, $3)',
    [referee.id, referrer.id, world.clock.now()],
  )
  world.clock.advance(40 * dayMs)
  expect(await check()).toMatchObject({ invariants: [] })
  const astray = { key: `referral:${referee.id}`, debit: 'promotions', credit: referrer.account_id } as const
  await post(world.db, { ...astray, amountMicroUsd: 5_000_000, at: world.clock.now() })
  world.clock.advance(dayMs)
  expect((await check()).invariants).toEqual([
    'I3 a referral has brought its referrer what its row says, its reward or nothing',
  ])
})

test('the first check reads all payments a page at a time', async () => {
  const own = await createWorld()
  try {
    const user = await own.addUser()
    const at = own.clock.now()
    await own.db.query(
      `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at, created_at,
         paid_at, receipt, intent_ref)
       select md5('payment ' || n)::uuid, $1, 'checkout', 'paid', 'local', 20000000, 0, false, $2, $2, $2, n, 'pi_' || n
       from generate_series(1, 1001) n`,
      [user.id, at],
    )
    await own.db.query(
      `insert into transfer (key, debit_account, credit_account, amount, payment_id, created_at)
       select 'payment:' || id, (select id from account where kind = 'payments'), $1, amount, id, $2 from payment`,
      [user.account_id, at],
    )
    let maxRows = 0
    const db: Db = {
      query: async <Row>(sql: string, parameters: readonly Parameter[] = []) => {
        const rows = await own.db.query<Row>(sql, parameters)
        maxRows = Math.max(maxRows, rows.length)
        return rows
      },
      transaction: own.db.transaction.bind(own.db),
    }
    const { breaches } = await checkRecentBooks(db, own.clock, async () => {})
    expect(breaches).toEqual([])
    expect(maxRows).toBeGreaterThan(50)
    expect(maxRows).toBeLessThanOrEqual(1000)
  } finally {
    await own.close()
  }
})
