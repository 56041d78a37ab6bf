import { expect, test } from 'vitest'
import { creditAccount } from '#server/admin/credit-account.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import type { UserRow } from '#server/identity/users.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { Mail } from '#server/mail/port.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'

const world = keepForFile(await createWorld())

/** @param answeredMs as the network reports it in the end. @returns the call's id */
async function call(user: UserRow, ms = 30_000, answeredMs = ms): Promise<string> {
  const one = await connectCall(world.control, user.id, american)
  await chargeDueMinutes(world.services)
  world.clock.advance(ms)
  await chargeDueMinutes(world.services)
  await one.end(answeredMs)
  // The next hour: attempts are limited.
  world.clock.advance(3_600_000)
  return one.callId
}

/** What was sent to somebody since it was last asked. */
async function sent(user: UserRow): Promise<string[]> {
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  const onFailure = (_: unknown, error: unknown) => {
    throw error
  }
  while ((await runDueJobs({ db: world.db, clock: world.clock, mailer, onFailure })) > 0);
  return mails.filter(({ to }) => to === user.email).map(({ subject }) => subject)
}

async function topUp(user: UserRow, cents: number): Promise<void> {
  const credited = await creditAccount(world.services, {
    requestId: world.services.random.uuid(),
    email: user.email,
    amountMicroUsd: cents * 10_000,
    reason: 'a test',
    actor: 'test',
  })
  expect(credited.ok).toBe(true)
}

test('a call that leaves two dollars or less causes one e-mail for each top-up', async () => {
  const user = await world.addUser({ credit: 2.03, freeCall: 'used' })
  await sent(user)
  await call(user) // 2.01
  expect(await sent(user)).toEqual([])
  await call(user) // 1.99
  expect(await sent(user)).toEqual(['Your credits are running low'])
  await call(user) // 1.97
  expect(await sent(user)).toEqual([])
  await topUp(user, 5)
  await call(user) // 2.00
  expect(await sent(user)).toEqual(['Your credits are running low'])
})

test('what a call gives back is no top-up: no second e-mail follows it', async () => {
  const user = await world.addUser({ credit: 1, freeCall: 'used' })
  await sent(user)
  const claimed = await call(user)
  expect(await sent(user)).toEqual(['Your credits are running low'])
  expect(await claimCall(world.services, user.id, claimed, 'choppy-audio')).toEqual({ ok: true, value: 0.02 })
  await call(user)
  expect(await sent(user)).toEqual([])
  // The second minute is charged, and given back when the call turns out to have been shorter.
  const returned = await call(user, 61_000, 59_000)
  expect(
    await world.db.query('select amount from transfer where key = $1', [`call:${returned}:settlement`]),
  ).toEqual([{ amount: 20_000 }])
  expect(await sent(user)).toEqual([])
})

test('tells a user whose balance is zero', async () => {
  const user = await world.addUser({ credit: 0.02, freeCall: 'used' })
  await sent(user)
  await call(user)
  expect(await sent(user)).toEqual(['Your credits are used up'])
})

test('sends no e-mail if auto top-up is on, nor after a free call', async () => {
  const automatic = await world.addUser({ credit: 1, freeCall: 'used' })
  await world.db.query(
    'update app_user set auto_topup_enabled = true, has_saved_payment_method = true where id = $1',
    [automatic.id],
  )
  await sent(automatic)
  await call(automatic)
  expect(await sent(automatic)).toEqual([])
  const newcomer = await world.addUser({ freeCall: 'available' })
  await sent(newcomer)
  await call(newcomer)
  expect(await sent(newcomer)).toEqual([])
})
