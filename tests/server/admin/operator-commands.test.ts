import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openAdminSocket } from '#server/admin/admin-socket.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { changeCaps, lockCountries } from '#server/calls/placing/spending.ts'
import { defaultCallCreditTerms } from '#server/config/policy.ts'
import { startSession } from '#server/identity/refresh-token.ts'
import { findUser, presentUser } from '#server/identity/users.ts'
import { runAdmin, spawnAdmin } from '#support/admin-command.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

const american = '+12125550142'

const world = keepForFile(await createWorld())
const directory = mkdtempSync(join(tmpdir(), 'farline-operator-'))
const adminSocket = await openAdminSocket(directory, world.services)
afterAll(async () => {
  await adminSocket.close()
  rmSync(directory, { recursive: true, force: true })
})

const admin = (...args: string[]) => runAdmin(directory, args)

const auditOf = (userId: string) =>
  world.db.query<{ actor: string; action: string; detail: Record<string, unknown> }>(
    `select actor, action, detail from audit_entry where subject = $1 and actor <> 'test' order by id`,
    [userId],
  )
const actor = userInfo().username
const refused = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` })

test('blocks with a reason that the user can read, and unblocks; both are written down', async () => {
  const user = await world.addUser({ credit: 5 })
  const reason = 'Your card was reported stolen. Write to us.'
  expect(await spawnAdmin(directory, ['block', user.email, '--reason', `  ${reason} `])).toEqual({
    code: 0,
    stdout: `${user.email} may no longer call. The balance stays $5.00.\n`,
    stderr: '',
  })
  const blocked = await findUser(world.db, user.id)
  expect(blocked && presentUser(blocked)).toMatchObject({ can_call: false, blocked_reason: reason })
  expect(await world.control.place({ userId: user.id, to: american, callerId: undefined })).toMatchObject({
    code: 'call_blocked',
  })
  expect(await admin('block', user.email, '--reason', reason)).toEqual(
    refused('That account is already blocked, for the same reason.'),
  )
  expect((await admin('user', user.email)).stdout).toContain(`may call   no: ${reason}\n`)
  expect((await admin('unblock', user.email, '--reason', 'all is well')).stdout).toBe(
    `${user.email} may call again. The balance stays $5.00.\n`,
  )
  expect(await findUser(world.db, user.id)).toMatchObject({ can_call: true, blocked_reason: null })
  expect(await auditOf(user.id)).toEqual([
    { actor, action: 'block', detail: { reason, before: { canCall: true, blockedReason: null } } },
    { actor, action: 'look_up', detail: { what: 'account' } },
    {
      actor,
      action: 'unblock',
      detail: { reason: 'all is well', before: { canCall: false, blockedReason: reason } },
    },
  ])
})

test('signs every device out, by itself or with a block', async () => {
  const user = await world.addUser({ credit: 5 })
  const open = () => world.db.transaction(tx => startSession(tx, world.services, user.id))
  const live = async () =>
    (await world.db.query('select 1 from refresh_token where user_id = $1 and revoked_at is null', [user.id]))
      .length
  await open()
  await open()
  expect((await admin('sign-out', user.email)).stdout).toBe(
    `${user.email} is logged out: 2 devices. Running calls continue; a new call needs a new login.\n`,
  )
  expect(await live()).toBe(0)
  await open()
  expect((await admin('block', user.email, '--reason', 'stolen')).code).toBe(0)
  expect(await live()).toBe(1)
  expect((await admin('block', user.email, '--reason', 'stolen', '--sign-out')).stdout).toBe(
    `${user.email} may no longer call. Every device is logged out. The balance stays $5.00.\n`,
  )
  expect(await live()).toBe(0)
  expect(
    (await auditOf(user.id)).map(({ action, detail }) => [action, detail.devices ?? detail.signOut]),
  ).toEqual([
    ['sign_out', 2],
    ['block', undefined],
    ['block', true],
  ])
  expect(await admin('sign-out', 'nobody@example.com')).toEqual(
    refused('No account has that e-mail address.'),
  )
})

test('looks up an account, its calls and its payments', async () => {
  const user = await world.addUser()
  const payment = await order(world, user.id, 10)
  await deliver(world, payment.paid())
  await (await connectCall(world.control, user.id, american)).end(61_000)
  const { stdout } = await admin('user', user.email)
  expect(stdout).toContain(`${user.email}  ${user.id}\n`)
  expect(stdout).toContain('  balance    $9.96\n')
  expect(stdout).toContain('  limits     paid recently or little\n')
  expect(stdout).toContain('  may call   yes\n')
  const calls = await admin('calls', user.email)
  expect(calls.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\+12125550142 +\w+ +61 s {2}\$0\.04\n$/)
  const payments = await admin('payments', user.email)
  expect(payments.stdout).toContain(`  ${payment.id}  $10.00  paid  visa 4242\n`)
  await changeCaps(world.services, user.id, { perCall: 0.5, perMonth: 20 })
  await lockCountries(world.services, user.id, { lock: ['IN', 'CU'], unlock: [] })
  const policy = { ...world.services.policy, credit: defaultCallCreditTerms }
  const bad = await connectCall(createCallControl({ ...world.services, policy }), user.id, american)
  await bad.end(5000)
  await world.db.query(`update call set purpose = 'test' where id <> $1 and user_id = $2`, [
    bad.callId,
    user.id,
  ])
  const after = (await admin('user', user.email)).stdout
  expect(after).toContain('  own caps   $0.50 a call, $20.00 a month\n  locked     CU IN\n')
  expect(after).toContain('  calls      2, of which 1 test\n  credited   $0.02 for bad calls\n')
  const listed = (await admin('calls', user.email)).stdout
  expect(listed).toContain(' 5 s  $0.02, credited $0.02\n')
  expect(listed).toContain(' 61 s  free, test\n')
  const nobody = await world.addUser()
  expect((await admin('user', nobody.email)).stdout).toContain('  own caps   none\n  locked     nothing\n')
  expect((await admin('calls', nobody.email)).stdout).toBe('No calls yet.\n')
  expect((await admin('payments', nobody.email)).stdout).toBe('No payments yet.\n')
  expect((await auditOf(user.id)).map(({ detail }) => detail.what)).toEqual([
    'account',
    'calls',
    'payments',
    'account',
    'calls',
  ])
})

test('releases what waits for review, once', async () => {
  const user = await world.addUser()
  const payment = await order(world, user.id, 600)
  await deliver(world, payment.paid())
  const before = (await findUser(world.db, user.id))?.balance ?? 0
  expect((await admin('payments', user.email)).stdout).toContain('waits for review: $100.00')
  expect(await admin('release', payment.id, '--reason', ' ')).toEqual(refused('Say why with --reason "...".'))
  const released = await admin('release', payment.id, '--reason', 'known customer')
  const grown = ((await findUser(world.db, user.id))?.balance ?? 0) - before
  expect(grown).toBe(160_000_000)
  expect(released).toEqual({ code: 0, stdout: 'Released. The balance has grown by $160.00.\n', stderr: '' })
  expect(await admin('release', payment.id, '--reason', 'again')).toEqual(
    refused('No part of that payment is held for review.'),
  )
  expect(await auditOf(user.id)).toContainEqual({
    actor,
    action: 'release',
    detail: { paymentId: payment.id, waiting: 100_000_000, reason: 'known customer' },
  })
})

test('refunds a part and then the rest of what is unused, however old the payment is, each request once', async () => {
  const user = await world.addUser()
  const payment = await order(world, user.id, 20)
  await deliver(world, payment.paid())
  await (await connectCall(world.control, user.id, american)).end(1000)
  world.clock.advance(60 * 24 * 3600_000)
  expect(await admin('refund', payment.id, '19.99', '--reason', 'asked')).toEqual(
    refused('That is more than the unused part of the payment. Leave out the amount to refund all of it.'),
  )
  const request = ['refund', payment.id, '5', '--reason', 'a bad line', '--request', randomUUID()]
  for (const again of [await admin(...request), await admin(...request)]) {
    expect(again).toEqual({ code: 0, stdout: 'Refunded $5.00 to the card.\n', stderr: '' })
  }
  expect((await findUser(world.db, user.id))?.balance).toBe(14_980_000)
  expect((await admin('refund', payment.id, '--reason', 'the rest')).stdout).toBe(
    'Refunded $14.98 to the card.\n',
  )
  expect((await findUser(world.db, user.id))?.balance).toBe(0)
  expect(await admin('refund', payment.id, '--reason', 'more')).toEqual(
    refused('That payment is used up: nothing can be refunded.'),
  )
  expect((await auditOf(user.id)).map(({ action, detail }) => [action, detail.amount])).toEqual([
    ['refund', 5_000_000],
    ['refund', 14_980_000],
  ])
})

test('compares calls, meter, ledger and provider, and writes down that it did', async () => {
  world.clock.advance(8 * 24 * 3600_000)
  const user = await world.addUser()
  const payment = await order(world, user.id, 20)
  await deliver(world, payment.paid())
  world.provider.known.set(`cs_${payment.id}`, payment.paid())
  const compared =
    /^Compared \d+ transfers with calls, meters and payments, and 1 payments with the provider\.\n/
  const right = await admin('reconcile')
  expect(right).toMatchObject({ code: 0, stderr: '' })
  expect(right.stdout).toMatch(compared)
  expect(right.stdout).toMatch(/\nNothing differs\.\n$/)
  world.provider.known.set(`cs_${payment.id}`, payment.expired())
  const wrong = await admin('reconcile')
  expect(wrong.stdout).toMatch(compared)
  expect(wrong.stdout).toContain(
    `\nDifferences: 1\n- Payment ${payment.id} is paid here with $20.00; the provider says that it expired.\n`,
  )
  world.provider.away = 'before'
  expect((await admin('reconcile')).stdout).toContain(
    '0 payments with the provider, 1 not: the provider could not be reached',
  )
  world.provider.away = 'no'
  expect(await auditOf('books')).toEqual(
    [0, 1, 0].map(found => ({ actor, action: 'reconcile', detail: { differences: found } })),
  )
  expect((await admin('reconcile', 'now')).code).toBe(2)
})

test('says in one sentence what it could not do', async () => {
  const user = await world.addUser({ credit: 1 })
  const unknown = refused('No account has that e-mail address.')
  for (const command of ['user', 'calls', 'payments'])
    expect(await admin(command, 'nobody@example.com')).toEqual(unknown)
  expect(await admin('block', 'nobody@example.com', '--reason', 'x')).toEqual(unknown)
  expect(await admin('block', user.email)).toEqual(refused('Say why with --reason "...".'))
  expect(await admin('block', user.email, '--reason', 'x'.repeat(301))).toEqual(
    refused('The reason is too long: shorten it to at most 300 characters.'),
  )
  expect(await admin('unblock', user.email, '--reason', 'x')).toEqual(refused('That account is not blocked.'))
  const payment = refused('No such payment, or it was not paid. List them with: payments <email>')
  expect(await admin('release', randomUUID(), '--reason', 'x')).toEqual(payment)
  expect(await admin('refund', randomUUID(), '--reason', 'x')).toEqual(payment)
  for (const wrong of [['user'], ['user', 'a', 'b'], ['release', 'x'], ['refund', randomUUID(), 'five']])
    expect((await admin(...wrong)).code).toBe(2)
  expect(await auditOf(user.id)).toEqual([])
})
