// @module-tag slow
import { setTimeout } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { changePassword } from '#server/accounts/password/change-password.ts'
import { forgotPassword, resetPassword } from '#server/accounts/password/password-reset.ts'
import { cancelEmailChange, changeEmail, confirmEmailChange } from '#server/accounts/profile/change-email.ts'
import { findProfile } from '#server/accounts/profile/profile.ts'
import { register, verifyEmail } from '#server/accounts/registration/register.ts'
import { login, refresh } from '#server/accounts/sign-in/sign-in.ts'
import type { Database, Transaction } from '#server/db/port.ts'
import { unknownDevice } from '#server/identity/device-name.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { emailsTo, newestToken, tokensIn } from './emails.ts'

/** What happens at the same moment, in whatever order the database runs it: on PostgreSQL really at once. */

const world = keepForFile(await createWorld())

/** One of each order on the embedded database, which runs one transaction at a time. */
const rounds = inject('engine')?.kind === 'postgres' ? 6 : 2
const old = 'correct horse battery'
const next = 'another battery staple'
const here = { address: '127.0.0.1', sessionId: undefined }

const opens = async (email: string, password: string) =>
  (await login(world.services, { email, password }, { device: unknownDevice, address: here.address })).ok

async function askReset(email: string): Promise<string> {
  await forgotPassword(world.services, email)
  return newestToken(await emailsTo(world.db, email), 'reset')
}

async function askChange(userId: string, email: string, password = old): Promise<string> {
  const asked = await changeEmail(world.services, userId, { email, password }, here)
  expect(asked.ok).toBe(true)
  return newestToken(await emailsTo(world.db, email), 'change')
}

const countOk = (results: readonly ({ readonly ok: boolean } | undefined)[]) =>
  results.filter(result => result?.ok === true).length

/** A database that rests before each statement of a transaction. */
function slowly(db: Database, pauseMs: number): Database {
  return {
    query: db.query,
    close: db.close,
    transaction: work =>
      db.transaction(tx => {
        const slow: Transaction = {
          query: async (sql, parameters) => {
            await setTimeout(pauseMs)
            return tx.query(sql, parameters)
          },
          transaction: nested => nested(slow),
          script: tx.script,
        }
        return work(slow)
      }),
  }
}

/** Half of the rounds the one first, half the other. */
const inTurn = <Value>(round: number, works: (() => Promise<Value>)[]) =>
  Promise.all((round % 2 === 0 ? works : works.toReversed()).map(work => work()))

test('one of all reset links that are opened at the same moment counts', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { email } = await world.addUser()
    const passwords = [`first word ${round}`, `second word ${round}`, `third word ${round}`]
    const links: { token: string; password: string }[] = []
    for (const password of passwords) links.push({ token: await askReset(email), password })
    // The first one twice: a double click.
    const tries = [...links, ...links.slice(0, 1)]
    const results = await Promise.all(tries.map(link => resetPassword(world.services, link)))
    expect(countOk(results)).toBe(1)
    const winner = results.findIndex(result => result.ok)
    for (const [index, { password }] of links.entries())
      expect(await opens(email, password)).toBe(index === winner % links.length)
    const [session] = results.flatMap(result => (result.ok ? [result.value.refresh.token] : []))
    expect((await refresh(world.services, session)).ok).toBe(true)
    const mails = (await emailsTo(world.db, email)).filter(({ text }) => text.includes('was changed'))
    expect(mails).toHaveLength(1)
  }
})

test('one of a reset and a change of address at the same moment counts', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id, email } = await world.addUser()
    const fresh = `moved-${round}@example.com`
    const reset = await askReset(email)
    const change = await askChange(id, fresh)
    const results = await inTurn<{ ok: boolean }>(round, [
      () => resetPassword(world.services, { token: reset, password: next }),
      () => confirmEmailChange(world.services, change),
    ])
    expect(countOk(results)).toBe(1)
    const profile = await findProfile(world.services, id)
    const moved = profile?.email === fresh
    expect(profile?.pendingEmail).toBeNull()
    expect(await opens(moved ? fresh : email, moved ? old : next)).toBe(true)
  }
})

test('whoever knew the old password starts nothing that outlives a reset', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id, email } = await world.addUser()
    const thief = `thief-${round}@example.com`
    const token = await askReset(email)
    await inTurn<unknown>(round, [
      () => resetPassword(world.services, { token, password: next }),
      () => changeEmail(world.services, id, { email: thief, password: old }, here),
      () => changePassword(world.services, id, { current: old, next: 'the thieves password' }, here),
    ])
    expect((await findProfile(world.services, id))?.pendingEmail).toBeNull()
    for (const change of tokensIn(await emailsTo(world.db, thief), 'change'))
      expect((await confirmEmailChange(world.services, change)).ok).toBe(false)
    const opened = [await opens(email, next), await opens(email, 'the thieves password')]
    expect(opened.filter(Boolean)).toHaveLength(1)
    expect(await opens(email, old)).toBe(false)
  }
})

test('one of two accounts that move to one address at the same moment does', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const movers = [await world.addUser(), await world.addUser()]
    const wanted = `wanted-${round}@example.com`
    const links: string[] = []
    for (const { id } of movers) links.push(await askChange(id, wanted))
    const results = await Promise.all(links.map(link => confirmEmailChange(world.services, link)))
    expect(results.map(result => (result.ok ? 'moved' : result.code)).sort()).toEqual([
      'email_taken',
      'moved',
    ])
    const addresses = await Promise.all(
      movers.map(async ({ id }) => (await findProfile(world.services, id))?.email),
    )
    expect(addresses.filter(address => address === wanted)).toHaveLength(1)
    // The link of the later user can be tried again, and the address is still taken.
    const late = links[results.findIndex(result => !result.ok)] ?? ''
    expect(await confirmEmailChange(world.services, late)).toEqual({ ok: false, code: 'email_taken' })
  }
})

test('a user who registers an address to which an account moves gets no access to that account', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await world.addUser()
    const wanted = `pending-${round}@example.com`
    const change = await askChange(id, wanted)
    const [moved] = await Promise.all([
      confirmEmailChange(world.services, change),
      register(world.services, { email: wanted, password: next }),
    ])
    for (const token of tokensIn(await emailsTo(world.db, wanted), 'confirm'))
      await verifyEmail(world.services, token)
    expect(await opens(wanted, moved.ok ? old : next)).toBe(true)
    expect(await opens(wanted, moved.ok ? next : old)).toBe(false)
    const accounts = await world.db.query('select 1 from app_user where email = $1', [wanted])
    expect(accounts).toHaveLength(1)
  }
})

test('a link to confirm an address that an account has left gives nobody access to that account', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const [left, fresh] = [`left-${round}@example.com`, `kept-${round}@example.com`]
    await register(world.services, { email: left, password: old })
    const [row] = await world.db.query<{ id: string }>('select id from app_user where email = $1', [left])
    const userId = row?.id ?? ''
    const change = await askChange(userId, fresh)
    // Slow enough for the other to come in between its statements, wherever its hashing ends.
    const slow = { ...world.services, db: slowly(world.db, 15 * (round + 1)) }
    await Promise.all([
      confirmEmailChange(slow, change),
      register(world.services, { email: left, password: next }),
    ])
    for (const token of tokensIn(await emailsTo(world.db, left), 'confirm'))
      await verifyEmail(world.services, token)
    expect((await findProfile(world.services, userId))?.email).toBe(fresh)
    expect(await opens(fresh, old)).toBe(true)
    expect(await opens(fresh, next)).toBe(false)
  }
})

test('changes of address that are asked for and given up at the same moment leave one that waits at most', async () => {
  const { id } = await world.addUser()
  for (let round = 0; round < rounds; round += 1) {
    const ask = (name: string) =>
      changeEmail(world.services, id, { email: `${name}-${round}@example.com`, password: old }, here)
    await Promise.all([ask('one'), ask('two'), cancelEmailChange(world.services, id), ask('three')])
    const open = await world.db.query('select 1 from email_change where user_id = $1 and used_at is null', [
      id,
    ])
    expect(open.length).toBeLessThanOrEqual(1)
  }
})
