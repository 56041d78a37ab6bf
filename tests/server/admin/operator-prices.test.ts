import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAdminSocket } from '#server/admin/admin-socket.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { runAdmin, spawnAdmin } from '#support/admin-command.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const header = 'prefix,iso,kind,usd_per_min\n'
const old = `${header}44,GB,landline,0.020\n447,GB,mobile,0.050\n`
const raised = `${header}44,GB,landline,0.020\n447,GB,mobile,0.060\n33,FR,landline,0.010\n`
const changes = 'FR  landline  none -> $0.01  33\nGB  mobile    $0.05 -> $0.06  447\n'

let directory: string
let published: string
let adminSocket: { close(): Promise<void> }
const world = keepForFile(await createWorld())
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'farline-prices-'))
  published = join(directory, 'tariff.csv')
  writeFileSync(published, old)
  adminSocket = await openAdminSocket(directory, world.services, published)
})
afterEach(async () => {
  await adminSocket.close()
  rmSync(directory, { recursive: true, force: true })
})

/** A file that the operator has. */
function file(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const prices = (...args: string[]) => runAdmin(directory, ['prices', ...args])

const audited = () =>
  world.db.query<{ actor: string; action: string; detail: Record<string, unknown> }>(
    `select actor, action, detail from audit_entry where subject = 'tariff' order by id`,
  )

test('shows what a price list changes, and changes nothing', async () => {
  expect(await spawnAdmin(directory, ['prices', file('new.csv', raised)])).toEqual({
    code: 0,
    stdout: `${changes}Costs were not compared: name the file with our costs in --costs <file>.
Nothing was applied. Apply it with --apply --reason "<why>".
`,
    stderr: '',
  })
  expect((await prices(published)).stdout).toContain('No price changes.\n')
  expect(readFileSync(published, 'utf8')).toBe(old)
  expect(await audited()).toEqual([])
})

test('flags what is sold below its cost', async () => {
  const list = file('new.csv', raised)
  const costly = file('costs.csv', 'prefix,usd_per_min\n44,0.015\n4479,0.075\n')
  expect((await prices(list, '--costs', costly)).stdout).toContain(
    `${changes}BELOW COST: 1\nGB  4479  sold for $0.06, costs $0.075\n`,
  )
  const cheap = file('costs.csv', 'prefix,usd_per_min\n44,0.015\n')
  expect((await prices(list, '--costs', cheap)).stdout).toContain(`${changes}No price is below its cost.\n`)
})

test('applies a price list with a reason, writes it down, and says what is to be done for it to count', async () => {
  const list = file('new.csv', raised)
  expect(await prices(list, '--apply')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Say why with --reason "...".\n',
  })
  expect(readFileSync(published, 'utf8')).toBe(old)
  const applied = await prices(list, '--apply', '--reason', ' the carrier is dearer ')
  expect(applied.stdout).toContain(
    `${changes}Costs were not compared: name the file with our costs in --costs <file>.
Applied to public/tariff.csv. Pages and calls keep the old prices until the site is rebuilt and the server restarted`,
  )
  expect(readFileSync(published, 'utf8')).toBe(raised)
  expect(readTariff(published).byPrefix.get(447)?.microUsdPerMinute).toBe(60_000)
  expect(readdirSync(directory)).not.toContain('tariff.csv.new')
  expect(await audited()).toEqual([
    {
      actor: userInfo().username,
      action: 'prices',
      detail: {
        reason: 'the carrier is dearer',
        belowCost: null,
        changes: [
          { isoCode: 'FR', kind: 'landline', before: null, after: 10_000, prefixes: ['33'] },
          { isoCode: 'GB', kind: 'mobile', before: 50_000, after: 60_000, prefixes: ['447'] },
        ],
      },
    },
  ])
})

test('says which line of which file cannot be read', async () => {
  const list = file('new.csv', `${header}44,GB,landline,cheap\n`)
  const refused = await prices(list)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toBe(
    `${list}: tariff, line 2: expected ${header.trim()}, found "44,GB,landline,cheap"\n`,
  )
  const costs = file('costs.csv', 'prefix,usd_per_min\n44,free\n')
  expect((await prices(published, '--costs', costs)).stderr).toContain(`${costs}: costs, line 2: expected`)
  const missing = join(directory, 'missing.csv')
  expect((await prices(missing)).stderr).toContain(`${missing}: ENOENT`)
  expect((await prices()).code).toBe(2)
})

test('a release that may not be written to is left as it is, and nothing says that it was applied', async () => {
  const list = file('new.csv', raised)
  // No user can make a file there, root neither.
  symlinkSync('/sys/farline-tariff.csv', `${published}.new`)
  const before = await audited()
  const { code, stderr } = await prices(list, '--apply', '--reason', 'dearer')
  expect([code, stderr]).toEqual([1, expect.stringContaining('Apply the list in a checkout of the project')])
  expect(readFileSync(published, 'utf8')).toBe(old)
  expect(await audited()).toEqual(before)
})
