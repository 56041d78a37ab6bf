import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { knownCosts } from '#server/tariff/costs-file.ts'
import { publishedTariff, readTariff } from '#server/tariff/tariff-file.ts'

const program = join(import.meta.dirname, '../../../server/tariff/import-prices.ts')
const pricing = join(import.meta.dirname, 'outbound.csv')
const folder = mkdtempSync(join(tmpdir(), 'farline-prices-'))

const run = (...args: readonly string[]) => runIn({}, ...args)

function runIn(environment: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const env = { PATH: process.env.PATH, ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env,
    encoding: 'utf8',
  })
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

test('a list with two prices for one prefix, or none, is refused in each of its formats', () => {
  const lists = {
    'twilio.csv': `${readFileSync(pricing, 'utf8')}FR,France,x,0.01,,33\nFR,France,x,0.02,,33\n`,
    'callers.csv': 'prefixes,callers,usd_per_min\n33,,0.01\n33,,0.02\n',
    'plain.csv': 'prefix,usd_per_min\n33,0.01\n33,0.02\n',
    'free.csv': 'prefix,usd_per_min\n33,0\n',
  }
  for (const [name, csv] of Object.entries(lists)) {
    const list = join(folder, name)
    writeFileSync(list, csv)
    const proposal = join(folder, `from-${name}`)
    const { status, stderr } = run(list, '--write', proposal)
    expect([status === 0, existsSync(proposal)], name).toEqual([false, false])
    expect(stderr).toMatch(/prefix 33 has another price already|duplicate prefix 33|a cost must be above 0/)
  }
})

test('the shipped tariff passes the launch gate, by the costs that the release knows', () => {
  const { status, stdout } = run('--check')
  expect(stdout).toContain('Every price covers its costs with a purchase of $10.')
  expect(stdout).toContain('a card takes of $10 (2.9 % + $0.30)')
  expect(stdout).toMatch(
    /\$5: \d+ prefixes\n[\s\S]*\$100 with \$10 of bonus: \d+ prefixes\n[\s\S]*Every price/,
  )
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

describe('the list of a carrier at the end of a trunk', () => {
  const trunk = join(folder, 'trunk.json')
  const prices = join(folder, 'blue.csv')
  const carrier = { set: 1, addresses: ['sip:198.51.100.7:5060;transport=udp'], calls: 10, callsPerSecond: 1 }
  const file = {
    edges: [
      {
        name: 'one',
        control: 'http://10.0.0.5:5080',
        media: 'http://10.0.0.5:22280',
        redis: 'redis://10.0.0.5:6379/1',
      },
    ],
    publicNumbers: ['+442079460000'],
    carriers: [{ ...carrier, name: 'blue', prices: 'blue.csv' }],
  }
  writeFileSync(trunk, JSON.stringify(file))
  const blue = ['--trunk', trunk, '--carrier', 'blue']
  const list = join(folder, 'list.csv')
  writeFileSync(list, 'prefix,usd_per_min\n44,0.0188\n4471,0.0208\n')

  test('is compared without the browser’s leg, and --import writes it where the trunk file says', () => {
    const costs = readFileSync(knownCosts, 'utf8')
    const compared = run(list, ...blue)
    expect(compared.stdout).toContain("Counted: the carrier's price and what a card takes of $10")
    // $0.0208 and the card's part are $0.022105.
    expect(compared.stdout).toMatch(/GB +mobile +\$0\.022 +\$0\.0208 +\$0\.023 +4471/)
    expect([compared.status, existsSync(prices)]).toEqual([1, false])
    expect(run(list, ...blue, '--import').stdout).toContain(`Wrote 2 rows to ${prices}.`)
    expect(readFileSync(prices, 'utf8')).toBe('prefixes,callers,usd_per_min\n44,,0.0188\n4471,,0.0208\n')
    expect(readFileSync(knownCosts, 'utf8')).toBe(costs)
    expect(run('--check', ...blue).stdout).toMatch(/GB +mobile +\$0\.022 +\$0\.0208/)
  })

  test('may be in the columns of the other list, or have callers', () => {
    expect(run(pricing, ...blue, '--import').stdout).toContain(`to ${prices}.`)
    writeFileSync(list, 'prefixes,callers,usd_per_min\n49,46,0.01\n49,,0.3\n')
    expect(run(list, ...blue, '--import').stdout).toContain('Wrote 2 rows')
    expect(readFileSync(prices, 'utf8')).toBe(readFileSync(list, 'utf8'))
  })

  test('is rejected with the reason', () => {
    const bad = join(folder, 'bad-list.csv')
    writeFileSync(bad, 'prefix,usd_per_min\n44,free\n')
    const before = readFileSync(prices, 'utf8')
    const rejected = run(bad, ...blue, '--import')
    expect([rejected.status, rejected.stderr]).toEqual([2, expect.stringContaining(`${bad}: costs, line 2`)])
    expect(readFileSync(prices, 'utf8')).toBe(before)
    expect(run(list, '--trunk', trunk, '--carrier', 'red').stderr).toContain('has no carrier red: blue')
    expect(run(list, '--trunk', list, '--carrier', 'blue').stderr).toContain(`${list} cannot be read`)
    expect(run(list, '--carrier', 'blue').stderr).toContain('npm run prices')
    // Whose list is it?
    expect(run(list, '--trunk', trunk).stderr).toContain('npm run prices')
  })

  const environment = { TELEPHONY: 'trunk', TRUNK_FILE: trunk }

  test('is of the trunk file that the environment names, unless another is named', () => {
    writeFileSync(list, 'prefix,usd_per_min\n44,0.0123\n')
    expect(runIn(environment, list, '--carrier', 'blue', '--import').stdout).toContain(
      `Wrote 1 rows to ${prices}.`,
    )
    expect(readFileSync(prices, 'utf8')).toContain('44,,0.0123')
    const missing = join(folder, 'missing.json')
    expect(runIn({ ...environment, TRUNK_FILE: missing }, '--check', ...blue).stdout).toContain('Counted: ')
    expect(runIn({ ...environment, TRUNK_FILE: missing }, '--check').stderr).toContain(
      `${missing} cannot be read`,
    )
  })

  test('counts in the gate where no other carrier is cheaper', () => {
    const red = { ...carrier, name: 'red', set: 2, prices: 'red.csv' }
    writeFileSync(trunk, JSON.stringify({ ...file, carriers: [...file.carriers, red] }))
    const sold = (name: string, rows: string) =>
      writeFileSync(join(folder, `${name}.csv`), `prefixes,callers,usd_per_min\n${rows}`)
    sold('blue', '44,,0.0188\n4471,,0.0208\n')
    sold('red', '44,,0.5\n4471,,0.001\n')
    for (const gate of [runIn(environment, '--check'), run('--check', '--trunk', trunk)]) {
      expect(gate.stdout).not.toMatch(/GB +mobile/)
      expect([gate.status, gate.stdout]).toEqual([
        0,
        expect.stringContaining('Every price covers its costs with a purchase of $10.'),
      ])
    }
    sold('red', '44,,0.5\n4471,,0.5\n')
    const failed = runIn(environment, '--check')
    expect([failed.status, failed.stdout]).toEqual([
      1,
      expect.stringMatching(/GB +mobile +\$0\.022 +\$0\.0208/),
    ])
  })
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
