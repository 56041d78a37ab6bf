import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { openAdminSocket } from '#server/admin/admin-socket.ts'
import { usage } from '#server/admin/commands/all.ts'
import { adminSocketPath, requireUsableSocketPath } from '#server/admin/socket-path.ts'
import type { Services } from '#server/context.ts'
import { DatabaseUnavailable } from '#server/db/port.ts'
import { balanceOf } from '#server/ledger/ledger.ts'
import { StartError } from '#server/process/start-error.ts'
import { runAdmin, spawnAdmin, spawnNode } from '#support/admin-command.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const usageShown = `${usage}\n`
const nobody = { code: 1, stdout: '', stderr: 'No server runs here. Start it with: npm start\n' }

let directory: string
let adminSocket: { close(): Promise<void> } | undefined
const world = keepForFile(await createWorld())
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'farline-door-'))
})
afterEach(async () => {
  await adminSocket?.close()
  adminSocket = undefined
  rmSync(directory, { recursive: true, force: true })
})

const openSocket = async () => {
  adminSocket = await openAdminSocket(directory, world.services)
}

const admin = (...args: string[]) => runAdmin(directory, args)

const auditEntries = (userId: string) =>
  world.db.query<{ actor: string; action: string; at: Date; detail: unknown }>(
    'select actor, action, at, detail from audit_entry where subject = $1 order by at',
    [userId],
  )

test('only its own user may open the socket, which goes with the server', async () => {
  await openSocket()
  const stat = statSync(adminSocketPath(directory))
  expect(stat.isSocket()).toBe(true)
  expect(stat.mode & 0o777).toBe(0o600)
  await adminSocket?.close()
  expect(statSync(adminSocketPath(directory), { throwIfNoEntry: false })).toBeUndefined()
})

test('credits an account, prints the new balance, notifies its pages, and records who did it and why', async () => {
  await openSocket()
  const user = await world.addUser()
  const first = await spawnAdmin(directory, [
    'credit',
    user.email,
    '12.5',
    '--reason',
    ' a goodwill gesture ',
  ])
  expect(first).toEqual({
    code: 0,
    stdout: `Credited $12.50 to ${user.email}. The balance is $12.50.\n`,
    stderr: '',
  })
  expect((await admin('credit', user.email, '0.01', '--reason', 'one more')).stdout).toBe(
    `Credited $0.01 to ${user.email}. The balance is $12.51.\n`,
  )
  expect(await balanceOf(world.db, user.account_id)).toBe(usdToMicroUsd(12.51))
  expect(world.notices.at(-1)).toEqual({ kind: 'balance', userId: user.id, event: { credits: 12.51 } })

  const entries = await auditEntries(user.id)
  expect(entries).toHaveLength(2)
  expect(entries).toContainEqual({
    actor: userInfo().username,
    action: 'credit',
    at: world.clock.now(),
    detail: {
      key: expect.stringMatching(/^adjustment:/),
      amountMicroUsd: usdToMicroUsd(12.5),
      reason: 'a goodwill gesture',
    },
  })
})

test('makes an adjustment whose answer was lost once, however often it is repeated', async () => {
  const user = await world.addUser()
  let losses = 2
  const { transaction } = world.services.db
  const forgetful: Services = {
    ...world.services,
    db: {
      ...world.services.db,
      transaction: async work => {
        const value = await transaction(work)
        losses -= 1
        if (losses >= 0) throw new DatabaseUnavailable('the connection is gone')
        return value
      },
    },
  }
  adminSocket = await openAdminSocket(directory, forgetful)
  const answer = await admin('credit', user.email, '5', '--reason', 'why not')
  expect(answer.stdout).toBe(`Credited $5.00 to ${user.email}. The balance is $5.00.\n`)
  expect(await balanceOf(world.db, user.account_id)).toBe(usdToMicroUsd(5))
  expect(await auditEntries(user.id)).toHaveLength(1)
})

/** It waits for seconds before it gives up, and whichever database is away looks the same to it. */
const elsewhere = inject('engine')?.kind === 'postgres'

test.skipIf(elsewhere)('tells the operator how to repeat a command that got no answer', async () => {
  const user = await world.addUser()
  const broken: Services = {
    ...world.services,
    db: {
      ...world.services.db,
      query: async () => {
        throw new DatabaseUnavailable('the database is away')
      },
    },
  }
  adminSocket = await openAdminSocket(directory, broken)
  const { code, stderr } = await admin('credit', user.email, '5', '--reason', 'why not')
  const [, requestId = ''] = /--request ([0-9a-f-]{36})\n/.exec(stderr) ?? []
  expect([code, stderr]).toEqual([1, expect.stringContaining('did not say whether it credited')])
  await adminSocket.close()
  await openSocket()
  const again = await admin('credit', user.email, '5', '--reason', 'why not', '--request', requestId)
  expect(again.stdout).toBe(`Credited $5.00 to ${user.email}. The balance is $5.00.\n`)
})

test('a credit is repeated under its request without crediting twice, and under no other amount', async () => {
  await openSocket()
  const user = await world.addUser()
  const request = randomUUID()
  const repeat = () => admin('credit', user.email, '5', '--reason', 'why not', '--request', request)
  for (const again of [await repeat(), await repeat()]) {
    expect(again.stdout).toBe(`Credited $5.00 to ${user.email}. The balance is $5.00.\n`)
  }
  expect(await balanceOf(world.db, user.account_id)).toBe(usdToMicroUsd(5))

  const other = await admin('credit', user.email, '6', '--reason', 'why not', '--request', request)
  expect(other).toEqual({
    code: 1,
    stdout: '',
    stderr: 'That --request belongs to another account or amount. Leave it out to make a new adjustment.\n',
  })
  expect(await balanceOf(world.db, user.account_id)).toBe(usdToMicroUsd(5))
})

test('says in one sentence why it did not credit, and credits nothing', async () => {
  await openSocket()
  const user = await world.addUser()
  const refused = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` })
  const amount = refused('The amount must be more than 0 and at most 4000 USD.')
  const reason = refused('Say why with --reason "...".')
  const answers = await Promise.all([
    admin('credit', 'nobody@example.com', '5', '--reason', 'why not'),
    admin('credit', user.email, '0', '--reason', 'why not'),
    admin('credit', user.email, '4000.01', '--reason', 'why not'),
    admin('credit', user.email, '5'),
    admin('credit', user.email, '5', '--reason', '  '),
  ])
  expect(answers).toEqual([refused('No account has that e-mail address.'), amount, amount, reason, reason])
  expect(await balanceOf(world.db, user.account_id)).toBe(0)
  expect(await auditEntries(user.id)).toEqual([])
})

test('explains its use to whoever gets it wrong', async () => {
  await openSocket()
  const user = await world.addUser()
  const why = ['--reason', 'why not']
  const answers = await Promise.all(
    [
      [],
      ['debit', user.email, '5', ...why],
      ['credit', user.email, ...why],
      ['credit', user.email, '5', '6', ...why],
      ['credit', user.email, '5.001', ...why],
      ['credit', user.email, '-5', ...why],
      ['credit', user.email, 'five', ...why],
      ['credit', user.email, '5', '--because', 'why not'],
      ['credit', user.email, '5', '--request', 'not-a-request', ...why],
    ].map(args => admin(...args)),
  )
  answers.push(await spawnAdmin(directory, ['debit']))
  for (const answer of answers) expect(answer).toEqual({ code: 2, stdout: '', stderr: usageShown })
  expect(await auditEntries(user.id)).toEqual([])
})

test('says that no server runs when nobody listens, and replaces what a killed server left', async () => {
  const user = await world.addUser()
  const credit = () => admin('credit', user.email, '5', '--reason', 'why not')
  expect(await spawnAdmin(directory, ['user', user.email])).toEqual(nobody)
  expect(await credit()).toEqual(nobody)

  const dieListening = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  await spawnNode(directory, ['-e', dieListening, adminSocketPath(directory)])
  expect(statSync(adminSocketPath(directory)).isSocket()).toBe(true)
  expect(await credit()).toEqual(nobody)

  await openSocket()
  expect(statSync(adminSocketPath(directory)).mode & 0o777).toBe(0o600)
  expect((await credit()).code).toBe(0)
})

test('the command line says what is wrong with a data directory that cannot hold a server', async () => {
  const credit = ['credit', 'a@example.com', '5', '--reason', 'why not']
  expect(await runAdmin('/etc/passwd', credit)).toEqual(nobody)
  const { code, stderr } = await runAdmin(`/${'d'.repeat(120)}`, credit)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The path of the data directory .* is too long for a socket\..*\n$/),
  ])
})

test('rejects a data directory whose path is too long for a socket, in bytes', () => {
  const otherBytes = Buffer.byteLength(adminSocketPath('/'))
  const longest = `/${'d'.repeat(107 - otherBytes - 1)}`
  expect(Buffer.byteLength(adminSocketPath(longest))).toBe(107)
  expect(() => requireUsableSocketPath(longest)).not.toThrow()
  for (const tooLong of [`${longest}d`, `${longest.slice(0, -1)}é`]) {
    expect(() => requireUsableSocketPath(tooLong)).toThrow(
      new StartError(
        `The path of the data directory ${tooLong} is too long for a socket. Set DATA_DIR to a shorter path.`,
      ),
    )
  }
})

test('a socket can really be opened at the longest path allowed', async () => {
  const longest = join(directory, 'd'.repeat(107 - Buffer.byteLength(adminSocketPath(directory)) - 1))
  mkdirSync(longest)
  const opened = await openAdminSocket(longest, world.services)
  expect(statSync(adminSocketPath(longest)).isSocket()).toBe(true)
  await opened.close()
})
