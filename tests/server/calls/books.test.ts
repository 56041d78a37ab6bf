import { expect, test } from 'vitest'
import type { Db } from '#server/db/port.ts'
import { checkBooks } from '#server/ledger/books/whole.ts'
import { type Breach, findBreaches, invariants } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'
import { orderGift } from '../payments/gift-people.ts'

const world = keepForFile(await createWorld())
const user = await world.addUser({ credit: 5 })
const call = await connectCall(world.control, user.id, '+12125550100')
await call.end(10_000)
const ended = call.callId
const live = (await connectCall(world.control, user.id, '+12125550100')).callId
const one = await order(world, user.id, 600)
await deliver(world, one.paid())
await deliver(world, one.refund(20))
const paid = one.id
const booklet = await orderGift(world, user.id)
await deliver(world, booklet.paid())

/** Thrown to roll back. */
class Undo extends Error {}

const insert = `insert into transfer (key, debit_account, credit_account, amount, call_id, created_at)`
const [customer, revenue, goodwill] = [
  `(select id from account where user_id is not null)`,
  `(select id from account where kind = 'revenue')`,
  `(select id from account where kind = 'goodwill')`,
]
const disarm = (table: string) => `alter table ${table} disable trigger user`

/** A fault that the database itself may reject; what guards against it is removed first. */
const wrongs: readonly [string, (tx: Db) => Promise<unknown>][] = [
  [
    'I1 every transfer has a debit and a credit, and the balances are their sums',
    async tx => {
      await tx.query(disarm('account'))
      await tx.query(`update account set balance = balance + 1 where kind = 'customer'`)
    },
  ],
  [
    'I1 a transfer moves an amount above zero between two accounts',
    async tx => {
      await tx.query('alter table transfer drop constraint transfer_check')
      await tx.query(`${insert} values ('odd', ${revenue}, ${revenue}, 1, null, now())`)
    },
  ],
  [
    'I2 no customer balance is below zero',
    async tx => {
      await tx.query('alter table account drop constraint account_check1')
      await tx.query(`${insert} values ('odd', ${customer}, ${revenue}, 900000000, null, now())`)
    },
  ],
  [
    'I3 a key was posted once',
    async tx => {
      await tx.query('alter table transfer drop constraint transfer_key_key')
      for (let time = 0; time < 2; time += 1) {
        await tx.query(`${insert} values ('payment:one', ${revenue}, ${customer}, 1, null, now())`)
      }
    },
  ],
  [
    'I3 a posting of a call says which call, and is one of its minutes, its settlement, the loss in it, what a free one was worth or what was given back',
    tx => tx.query(`${insert} values ('call:${ended}:tip', ${customer}, ${revenue}, 1, '${ended}', now())`),
  ],
  [
    'I3 each minute that the meter counts was posted once',
    tx => tx.query(`${insert} values ('call:${ended}:2', ${customer}, ${revenue}, 20000, '${ended}', now())`),
  ],
  [
    'I3 only what is over was settled',
    tx =>
      tx.query(`${insert} values ('call:${live}:settlement', ${revenue}, ${customer}, 1, '${live}', now())`),
  ],
  [
    'I3 what a free call was worth was posted once, from promotions to revenue, and nothing for a call that was not free',
    tx =>
      tx.query(
        `${insert} select 'call:${ended}:free', id, ${revenue}, 20000, '${ended}', now() from account
         where kind = 'promotions'`,
      ),
  ],
  [
    'I3 what was given back for a call came from goodwill to its caller, once, as its credit and its record say, and no more than they paid',
    tx =>
      tx.query(`${insert} values ('credit:${ended}', ${goodwill}, ${customer}, 20000, '${ended}', now())`),
  ],
  [
    'I3 nothing leaves goodwill but for calls, and nothing comes to it',
    tx => tx.query(`${insert} values ('gift', ${goodwill}, ${customer}, 1, null, now())`),
  ],
  [
    'I3 nobody was given back more calls in 30 days than the limit was, by themselves, by claims and for restarts',
    tx =>
      tx.query(
        `insert into call_credit (call_id, user_id, reason, amount, most, credited_at)
         select id, user_id, 'short', 1, 1, now() from call where id in ($1, $2)`,
        [ended, live],
      ),
  ],
  [
    'I3 a paid payment was posted once, in whole, and an unpaid one not at all',
    tx => tx.query(`update payment set amount = 700000000 where id = $1`, [paid]),
  ],
  [
    'I3 a bonus was posted once, when nothing of its payment waits',
    tx => tx.query('update payment set released_at = now() where id = $1', [paid]),
  ],
  [
    'I3 what was taken back of a payment is what its refunds and disputes come to',
    tx => tx.query(`update refund set state = 'failed'`),
  ],
  [
    'I3 a refund or dispute of a paid payment has taken effect',
    tx => tx.query('update refund set payment_id = null'),
  ],
  [
    'I3 of each payment no less waits for review than nothing, and nothing once it is released',
    tx => tx.query('update payment set released_at = now() where id = $1', [paid]),
  ],
  [
    'I3 what was paid for a booklet waits in gifts until it goes back or is redeemed, once, by the redeemer of its row',
    tx => tx.query('update gift set redeemed_at = now(), redeemed_by = user_id'),
  ],
  [
    'I3 nothing comes to gifts or leaves it but for a booklet',
    tx =>
      tx.query(
        `${insert} values ('odd', ${revenue}, (select id from account where kind = 'gifts'), 1, null, now())`,
      ),
  ],
  [
    'I3 a referral has brought its referrer what its row says, its reward or nothing',
    tx =>
      tx.query(
        `insert into referral (referee_id, referrer_id, joined_at, payment_id, reward, given, decided_at)
         select user_id, gen_random_uuid(), paid_at, id, 5000000, 5000000, paid_at + interval '8 days' from payment where id = $1`,
        [paid],
      ),
  ],
  [
    'I3 what a referral has brought is of a referral that there is',
    tx =>
      tx.query(
        `${insert} select 'referral:' || id, (select id from account where kind = 'promotions'), ${customer}, 1, null,
           now() from app_user`,
      ),
  ],
  [
    'I3 a reward was given once its payment could be refunded no more, and once for each card and mailbox',
    tx =>
      tx.query(
        `insert into referral (referee_id, referrer_id, joined_at, payment_id, reward, given, decided_at)
         select user_id, gen_random_uuid(), paid_at, id, 5000000, 5000000, paid_at from payment where id = $1`,
        [paid],
      ),
  ],
  [
    'I3 what was given up was on the balance of an account that its owner deleted',
    tx =>
      tx.query(
        `${insert} select 'given_up:' || user_id, id, (select id from account where kind = 'given_up'), 1, null, now()
         from account where kind = 'customer'`,
      ),
  ],
  [
    'I4 an ended call was charged ceil(answered seconds / 60) x rate, or 0 when free or unanswered',
    tx => tx.query('update call set answered_ms = 60001 where id = $1', [ended]),
  ],
  [
    'I4 an answered call that ended has a length',
    tx => tx.query('update call set answered_ms = null where id = $1', [ended]),
  ],
  [
    'I4 nothing is charged any more for a call that has ended',
    tx => tx.query('update call_meter set next_charge_at = now() where call_id = $1', [ended]),
  ],
  [
    'I5 no call is metered longer than its limit plus 5 minutes',
    tx => tx.query('update call_meter set minutes = 66 where call_id = $1', [live]),
  ],
]

const subjectsOf = (breaches: readonly Breach[]) =>
  Object.fromEntries(
    breaches.map(({ invariant, rows }) => [invariant, new Set(rows.map(({ subject }) => subject))]),
  )

test('books that are right have no breach, and every invariant has a wrong below', async () => {
  expect(await findBreaches(world.db)).toEqual([])
  expect((await checkBooks(world.db)).breaches).toEqual([])
  expect(wrongs.map(([invariant]) => invariant)).toEqual(invariants)
})

test.each(wrongs)('a breach is found: %s', async (invariant, commit) => {
  const attempt = world.db.transaction(async tx => {
    await commit(tx)
    const breaches = await findBreaches(tx)
    expect(breaches.map(breach => breach.invariant)).toContain(invariant)
    const inPages = (await checkBooks(tx)).breaches
    expect(subjectsOf(inPages)).toEqual(subjectsOf(breaches))
    throw new Undo()
  })
  await expect(attempt).rejects.toThrow(Undo)
})
