import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eraseBelongings } from '#server/accounts/deletion/erase.ts'
import { findReceipt } from '#server/payments/receipt.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { migrationDirectory } from '../db/migration-files.ts'
import { deliver, order, paymentsOf } from './buyer.ts'

const world = keepForFile(await createWorld())
const { db } = world

const rename = (userId: string, name: string | null, email: string) =>
  db.query('update app_user set name = $2, email = $3 where id = $1', [userId, name, email])

/** A user with a name and address who paid once. */
async function addBuyer(name: string | null, email: string) {
  const { id } = await world.addUser()
  await rename(id, name, email)
  const one = await order(world, id, 10)
  await deliver(world, one.paid())
  const billed = async () => {
    const found = await findReceipt(db, id, one.id)
    return found && [found.name, found.email]
  }
  return { id, one, billed }
}

test('a receipt says who paid, whatever their name and address are later, and the next receipt says those', async () => {
  const { id, one, billed } = await addBuyer('Ana Costa', 'ana@example.com')
  await rename(id, 'Acme Ltd', 'acme@example.com')
  await deliver(world, one.refund(4))
  expect(await billed()).toEqual(['Ana Costa', 'ana@example.com'])
  const next = await order(world, id, 20)
  await rename(id, null, 'later@example.com')
  await deliver(world, next.paid())
  expect(await findReceipt(db, id, next.id)).toMatchObject({ name: null, email: 'later@example.com' })
  expect(await findBreaches(db)).toEqual([])
})

test('a receipt from before says from now on what it says now', async () => {
  const { id, one, billed } = await addBuyer('Ben Old', 'ben@example.com')
  const waiting = await order(world, id, 20)
  await db.query('update payment set billed_name = null, billed_email = null where id = $1', [one.id])
  const migrate = async () => {
    const sql = await readFile(join(migrationDirectory, '0059_receipt_names_before.sql'), 'utf8')
    await db.query(sql)
  }
  await migrate()
  await rename(id, 'Ben New', 'new@example.com')
  await migrate()
  expect(await billed()).toEqual(['Ben Old', 'ben@example.com'])
  await deliver(world, waiting.paid())
  expect(await findReceipt(db, id, waiting.id)).toMatchObject({ name: 'Ben New', email: 'new@example.com' })
})

test('receipts of a deleted account name nobody, also of what is paid afterwards; those of a reclaimed one no stranger', async () => {
  const reclaimed = await addBuyer('A Stranger', 'owner@example.com')
  await db.transaction(tx => eraseBelongings(tx, reclaimed.id, world.clock.now()))
  expect(await reclaimed.billed()).toEqual([null, 'owner@example.com'])

  const gone = await addBuyer('Gone', 'gone@example.com')
  const waiting = await order(world, gone.id, 20)
  await db.query('update app_user set deleted_at = $2 where id = $1', [gone.id, world.clock.now()])
  await db.transaction(tx => eraseBelongings(tx, gone.id, world.clock.now()))
  await deliver(world, waiting.paid())
  const kept = await db.query('select billed_name, billed_email from payment where user_id = $1', [gone.id])
  expect(kept).toEqual(Array(2).fill({ billed_name: null, billed_email: null }))
  expect((await paymentsOf(world, gone.id)).map(({ state }) => state)).toEqual(['paid', 'paid'])
  expect(await gone.billed()).toBeUndefined()
})
