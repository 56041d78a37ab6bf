import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publishedTariff, readTariff } from '#server/tariff/tariff-file.ts'

const program = join(import.meta.dirname, '../../../server/tariff/import-prices.ts')
const pricing = join(import.meta.dirname, 'outbound.csv')
const folder = mkdtempSync(join(tmpdir(), 'farline-prices-'))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('a comparison prints what is too cheap and what has no price, and changes nothing', () => {
  const before = readFileSync(publishedTariff, 'utf8')
  const { status, stdout } = run(pricing, '--caller', '+4312345')
  expect(status).toBe(1)
  expect(stdout).toMatch(/GB +mobile +\$0\.022 +\$0\.0265 +\$0\.033 +4471/)
  expect(stdout).toMatch(/prefixes of the tariff have no price/)
  expect(stdout).not.toMatch(/^ +AT/m)
  expect(readFileSync(publishedTariff, 'utf8')).toBe(before)
})

test('--write makes a new tariff file, and never one in the place of another', () => {
  const proposal = join(folder, 'tariff.csv')
  const { status, stdout } = run(pricing, '--write', proposal)
  expect([status, existsSync(proposal)]).toEqual([1, true])
  expect(stdout).toContain(`npm run admin -- prices ${proposal}`)
  expect(readTariff(proposal).byIso.get('GB')?.ourRateMicroUsd).toBe(33_000)
  const again = run(pricing, '--write', proposal)
  expect([again.status, again.stderr]).toEqual([
    2,
    expect.stringContaining('already exists: name another file'),
  ])
  expect(run(pricing, '--write', publishedTariff).status).toBe(2)
})

test('rows with faults are named by line, and nothing is proposed from such a file', () => {
  const bad = join(folder, 'bad.csv')
  writeFileSync(bad, `${readFileSync(pricing, 'utf8')}FR,France,x,free,,33\n`)
  const proposal = join(folder, 'from-bad.csv')
  const { status, stderr } = run(bad, '--write', proposal)
  expect([status, existsSync(proposal)]).toEqual([1, false])
  expect(stderr).toContain(`${bad}, line 12: no price`)
})

test('the shipped tariff passes the launch gate, by the costs that the release knows', () => {
  const { status, stdout } = run('--check')
  expect(stdout).toContain('Every price covers its costs.')
  expect(stdout).toContain('a card takes of $10 (2.9 % + $0.30)')
  expect(stdout).toMatch(/\$100 with \$10 of bonus: \d+ prefixes below cost/)
  expect(status).toBe(0)
})

test('the launch gate fails on what the carrier asks more for', () => {
  const { status, stdout } = run('--check', pricing)
  expect([status, stdout]).toEqual([1, expect.stringMatching(/GB +mobile/)])
})

test('a caller whose calls cost more than the cheapest is compared on request', () => {
  expect(run('--check', pricing).stdout).not.toMatch(/^ +AT/m)
  expect(run('--check', pricing, '--caller', '+442079460958').stdout).toMatch(
    /AT +landline +\$0\.055 +\$0\.155/,
  )
})

test.each([
  [['--check'], {}],
  [[], { npm_config_check: 'true' }],
  [[], { npm_config_check: pricing }],
  [[pricing], { npm_config_check: 'true' }],
])('npm run prices takes the gate in both forms: %j with %j', (args, environment) => {
  const script = join(import.meta.dirname, '../../../scripts/import-prices.mjs')
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, npm_config_check: '', ...environment },
  })
  const withList = [...args, ...Object.values(environment)].includes(pricing)
  expect([status, stdout]).toEqual([withList ? 1 : 0, expect.stringContaining('Counted: ')])
})

test.each([
  [[], 'npm run prices'],
  [['a.csv', 'b.csv'], 'npm run prices'],
  [[pricing, '--margin', 'ten'], 'npm run prices'],
  [['--check', '--import'], 'npm run prices'],
  [['/nowhere/pricing.csv'], 'no such file'],
  [[publishedTariff], 'expected the columns'],
])('rejects %j with the reason', (args, reason) => {
  expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) })
})
