import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#server/db/port.ts'
import { findBreaches, invariants } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld, type World } from '#support/world.ts'

let world: World
let ended: string
let live: string
beforeAll(async () => {
  world = await createWorld()
  const user = await world.addUser({ credit: 5 })
  const call = await connectCall(world.control, user.id, '+12125550100')
  await call.end(10_000)
  ended = call.callId
  live = (await connectCall(world.control, user.id, '+12125550100')).callId
})
afterAll(async () => {
  await world.close()
})

/** Thrown to roll back. */
class Undo extends Error {}

const insert = `insert into transfer (key, debit_account, credit_account, amount, call_id, created_at)`
const [customer, revenue] = [
  `(select id from account where user_id is not null)`,
  `(select id from account where kind = 'revenue')`,
]
const disarm = (table: string) => `alter table ${table} disable trigger user`

/** A wrong that the database itself may refuse; what guards against it is taken away first. */
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
    'I3 a posting of a call says which call, and is one of its minutes, its settlement or the loss in it',
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
    'I4 an ended call was charged ceil(answered seconds / 60) x rate, or 0 when free or unanswered',
    tx => tx.query('update call set answered_ms = 60001 where id = $1', [ended]),
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

test('books that are right have no breach, and every invariant has a wrong below', async () => {
  expect(await findBreaches(world.db)).toEqual([])
  expect(wrongs.map(([invariant]) => invariant)).toEqual(invariants)
})

test.each(wrongs)('a breach is found: %s', async (invariant, commit) => {
  const attempt = world.db.transaction(async tx => {
    await commit(tx)
    expect((await findBreaches(tx)).map(breach => breach.invariant)).toContain(invariant)
    throw new Undo()
  })
  await expect(attempt).rejects.toThrow(Undo)
})
