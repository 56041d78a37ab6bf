import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balanceOf, post } from '#server/ledger/ledger.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

const at = new Date('2026-03-01T12:00:00Z')

test('a transfer with the same key is made once', async () => {
  const { account_id: id } = await world.addUser()
  const transfer = {
    key: 'payment:one',
    debit: 'payments',
    credit: id,
    amountMicroUsd: 5_000_000,
    at,
  } as const
  expect(await post(world.db, transfer)).toBe(true)
  expect(await post(world.db, { ...transfer, amountMicroUsd: 9_000_000 })).toBe(false)
  expect(await balanceOf(world.db, id)).toBe(5_000_000)
})

test('the database rejects a balance below zero and keeps it as it was', async () => {
  const { account_id: id } = await world.addUser({ credit: 1 })
  const overdraft = { key: 'overdraft', debit: id, credit: 'revenue', amountMicroUsd: 1_000_001, at } as const
  await expect(post(world.db, overdraft)).rejects.toThrow(/check constraint/)
  expect(await balanceOf(world.db, id)).toBe(1_000_000)
})

test.each([
  ['an update', `update transfer set amount = 1`],
  ['a delete', 'delete from transfer'],
  ['a truncate', 'truncate transfer'],
  ['a balance written by hand', `update account set balance = 1 where kind = 'customer'`],
  ['an audit entry changed', `update audit_entry set actor = 'nobody'`],
])('the database rejects %s', async (_what, sql) => {
  await world.addUser({ credit: 1 })
  await expect(world.db.query(sql)).rejects.toThrow(/append-only|only through a transfer/)
})

test('amounts must be above zero and parties different', async () => {
  const { account_id: id } = await world.addUser()
  const bad = { key: 'bad', debit: 'payments', credit: id, at } as const
  await expect(post(world.db, { ...bad, amountMicroUsd: 0 })).rejects.toThrow()
  await expect(post(world.db, { ...bad, amountMicroUsd: 5, debit: id })).rejects.toThrow()
})

test.each(['debit', 'credit'] as const)('a transfer with an unknown account to %s is refused', async side => {
  const { account_id: id } = await world.addUser({ credit: 1 })
  const parties = side === 'debit' ? { debit: 999_999, credit: id } : { debit: id, credit: 999_999 }
  const lost = { key: `lost:${side}`, amountMicroUsd: 5, at, ...parties }
  await expect(post(world.db, lost)).rejects.toThrow(/names an account that is not there/)
  expect(await balanceOf(world.db, id)).toBe(1_000_000)
})

test('any interleaving of credits and charges keeps the books', async () => {
  const { account_id: id } = await world.addUser()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 12 }), async amounts => {
      run += 1
      const before = await balanceOf(world.db, id)
      const posted = await Promise.all(
        amounts
          .filter(amount => amount !== 0)
          .map(async (amount, index) => {
            const parties = amount > 0 ? { debit: 'payments', credit: id } : { debit: id, credit: 'revenue' }
            const transfer = { key: `any:${run}:${index}`, amountMicroUsd: Math.abs(amount), at, ...parties }
            return post(world.db, transfer as Parameters<typeof post>[1]).then(
              () => amount,
              () => 0,
            )
          }),
      )
      const sum = posted.reduce((total, amount) => total + amount, 0)
      expect(await balanceOf(world.db, id)).toBe(before + sum)
      expect(await findBreaches(world.db)).toEqual([])
    }),
    { numRuns: 30, seed: 7 },
  )
})
