import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dayMs } from '#lib/time.ts'
import { openAdminSocket } from '#server/admin/admin-socket.ts'
import { columnNames } from '#server/admin/cdrs/cdr-file.ts'
import { trunkBooks } from '#server/calls/carrier/trunk-books.ts'
import { runAdmin } from '#support/admin-command.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())
const books = trunkBooks(world.db)
const directory = mkdtempSync(join(tmpdir(), 'farline-cdrs-'))
const adminSocket = await openAdminSocket(directory, world.services)
afterAll(async () => {
  await adminSocket.close()
  rmSync(directory, { recursive: true, force: true })
})
const user = await world.addUser({ credit: 10 })

/** A call that this carrier carried. @returns its id, and its answer as the carrier would write it */
async function carried(carrier: string, number: string, ms: number) {
  const beganAt = world.clock.now()
  const { callId, end } = await connectCall(world.control, user.id, number)
  await books.record({ callId, attempt: 0, carrier, costMicroUsd: 9_000, beganAt, outcome: 'answered' })
  const [row] = await world.db.query<{ answered_at: Date }>('select answered_at from call where id = $1', [
    callId,
  ])
  await end(ms)
  world.clock.advance(dayMs)
  return { callId, time: row?.answered_at.toISOString().slice(0, 19).replace('T', ' ') ?? '' }
}

/** Runs the command on a file with these rows. */
function compare(rows: readonly string[], ...args: readonly string[]) {
  const file = join(directory, 'cdrs.csv')
  writeFileSync(file, `${['called number,answer time,duration,cost', ...rows].join('\n')}\n`)
  return runAdmin(directory, ['carrier-cdrs', file, ...args])
}

const [paris, london] = ['+33142685300', '+442079460000']
const first = await carried('blue', paris, 61_000)
const second = await carried('blue', london, 30_000)
const other = await carried('red', london, 30_000)
const third = await carried('blue', london, 45_000)

test('names every difference between a carrier’s records and its calls, and writes down that it looked', async () => {
  const { code, stdout } = await compare(
    [
      `${paris},${first.time},61,0.018`,
      `${paris},${second.time},12,0.009`,
      `${london},${third.time},300,0.06`,
      'unknown,2026-01-01,1,1',
    ],
    ...['--carrier', 'blue'],
  )
  expect(code).toBe(0)
  expect(stdout).toBe(`Compared 3 records with 3 calls, ${first.time} to ${third.time} UTC.
Only the carrier has: 1
- line 3  ${second.time}  ${paris}  12 s  $0.009
Only we have: 1
- ${second.time}  ${london}  30 s  ${second.callId}
Durations differ: 1
- line 4  ${third.time}  ${london}  300 s  $0.06  here 45 s
Costs are above the price list: 1
- line 4  ${third.time}  ${london}  300 s  $0.06  here $0.045
Rows that cannot be read: 1
- line 5: not a number in E.164: "unknown"
Carrier:    373 s, $0.087
Here:       136 s, $0.036
Difference: 237 s, $0.051
`)
  const [entry] = await world.db.query(
    `select actor, action, subject, detail from audit_entry where action = 'carrier_cdrs'`,
  )
  expect(entry).toEqual({
    actor: userInfo().username,
    action: 'carrier_cdrs',
    subject: 'books',
    detail: { carrier: 'blue', records: 3, calls: 3, differences: 5 },
  })
})

test('the calls of another carrier are another matter', async () => {
  const { stdout } = await compare([`${london},${other.time},30,`], '--carrier', 'red')
  expect(stdout).toBe(`Compared 1 records with 1 calls, ${other.time} to ${other.time} UTC.
Nothing differs.
Carrier:    30 s
Here:       30 s, $0.009
Difference: 0 s
`)
})

test('says what it could not do', async () => {
  expect(await compare([`${london},${other.time},30,`], '--carrier', 'green')).toMatchObject({
    code: 1,
    stderr: 'No call went over a carrier of that name. The trunk file has the names.\n',
  })
  const nothing = await compare([], '--carrier', 'blue')
  expect([nothing.code, nothing.stderr]).toEqual([
    1,
    expect.stringMatching(/cdrs\.csv: no row is an answered call/),
  ])
  expect((await compare([])).code).toBe(2)
})

test('the page about trunks lists every name of a column', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operating/trunk.md'), 'utf8')
  for (const names of Object.values(columnNames))
    expect(page).toContain(`| ${names.map(name => `\`${name}\``).join(', ')} |`)
})
