import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const scratch = mkdtempSync(join(tmpdir(), 'farline-directions-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

type Import = readonly [importer: string, specifier: string, imported: string]

const forbidden: readonly Import[] = [
  ['src/lib/money/a.ts', 'stripe', ''],
  ['src/lib/money/b.ts', '#session/user.ts', 'src/session/user.ts'],
  ['src/lib/money/c.ts', '../../session/user.ts', 'src/session/user.ts'],
  ['src/voice/a.ts', '#session/user.ts', 'src/session/user.ts'],
  ['src/voice/b.ts', 'react', ''],
  ['src/session/a.ts', '#voice/call.ts', 'src/voice/call.ts'],
  ['src/session/b.ts', '@twilio/voice-sdk', ''],
  ['src/ui/a.ts', '#session/user.ts', 'src/session/user.ts'],
  ['src/shared/a.ts', '#islands/receipt/b.ts', 'src/islands/receipt/b.ts'],
  ['src/islands/dialler/call/a.ts', '../../receipt/b.ts', 'src/islands/receipt/b.ts'],
  ['src/islands/dialler/call/b.ts', '#server/config.ts', 'server/config.ts'],
  ['src/layouts/a.ts', '#server/config.ts', 'server/config.ts'],
  ['server/calls/a.ts', '#session/user.ts', 'src/session/user.ts'],
  ['server/calls/b.ts', '../../src/session/user.ts', 'src/session/user.ts'],
  ['server/calls/c.ts', 'stripe', ''],
  ['server/calls/d.ts', '../payments/rows.ts', 'server/payments/rows.ts'],
  ['server/payment-provider/open.ts', 'stripe', ''],
  ['server/payment-provider/stripe/a.ts', '#session/user.ts', 'src/session/user.ts'],
  ['server/ledger/a.ts', '../payments/payments.ts', 'server/payments/payments.ts'],
  ['server/mail/a.ts', '../app.ts', 'server/app.ts'],
  ['server/mail/b.ts', 'axe-core', ''],
  ['server/telephony/exchange/a.ts', 'sip.js', ''],
  ['scripts/build/a.mjs', 'html-validate', ''],
]

const allowed: readonly Import[] = [
  ['src/lib/api/d.ts', '../money/money.ts', 'src/lib/money/money.ts'],
  ['src/voice/d.ts', '@twilio/voice-sdk', ''],
  ['src/session/d.ts', '#lib/money/money.ts', 'src/lib/money/money.ts'],
  ['src/shared/d.ts', '#voice/call.ts', 'src/voice/call.ts'],
  ['src/islands/dialler/call/d.ts', '../number/dial.ts', 'src/islands/dialler/number/dial.ts'],
  ['src/islands/dialler/call/e.ts', '#session/user.ts', 'src/session/user.ts'],
  ['server/calls/placing/e.ts', '../rows.ts', 'server/calls/rows.ts'],
  ['server/calls/placing/f.ts', '../../payments/payments.ts', 'server/payments/payments.ts'],
  ['server/calls/g.ts', '#lib/money/money.ts', 'src/lib/money/money.ts'],
  ['server/payment-provider/stripe/d.ts', 'stripe', ''],
  ['server/app.ts', './calls/rows.ts', 'server/calls/rows.ts'],
  ['scripts/build/d.mjs', 'htmlparser2', ''],
]

function write(file: string, text: string): void {
  mkdirSync(dirname(join(scratch, file)), { recursive: true })
  writeFileSync(join(scratch, file), text)
}

/** What the linter finds, as `importer rule`. */
let found: readonly string[]

beforeAll(() => {
  for (const name of ['package.json', 'tsconfig.json', '.dependency-cruiser.mjs'])
    cpSync(join(root, name), join(scratch, name))
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))
  for (const [, , imported] of [...forbidden, ...allowed])
    if (imported !== '') write(imported, 'export const a = 1\n')
  for (const [importer, specifier] of [...forbidden, ...allowed])
    write(importer, `import * as b from '${specifier}'\nexport const a = b\n`)
  write('src/lib/circle-1.ts', "import { b } from './circle-2.ts'\nexport const a = (): number => b()\n")
  write('src/lib/circle-2.ts', "import { a } from './circle-1.ts'\nexport const b = (): number => a()\n")
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...[
        '--config',
        '.dependency-cruiser.mjs',
        '--preserve-symlinks',
        '--output-type',
        'json',
        'src',
        'server',
        'scripts/build',
      ],
    ],
    { cwd: scratch, encoding: 'utf8' },
  )
  if (stdout === '') throw new Error(stderr)
  const report: { summary: { violations: { from: string; rule: { name: string } }[] } } = JSON.parse(stdout)
  found = report.summary.violations.map(({ from, rule }) => `${from} ${rule.name}`)
})

const rulesOf = (importer: string) => found.filter(line => line.startsWith(`${importer} `))

test.each(forbidden)('%s may not import %s', importer => {
  expect(rulesOf(importer)).not.toEqual([])
})

test.each(allowed)('%s may import %s', importer => {
  expect(rulesOf(importer)).toEqual([])
})

test('files may not import each other in a circle', () => {
  expect(found).toContain('src/lib/circle-1.ts no-circles')
})
