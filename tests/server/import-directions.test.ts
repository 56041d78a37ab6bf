import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const scratch = mkdtempSync(join(tmpdir(), 'farline-directions-'))
cpSync(join(root, 'biome.json'), join(scratch, 'biome.json'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Whether the linter refuses this import in this file. */
function isRefused(file: string, specifier: string): boolean {
  const path = join(scratch, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `import { a } from '${specifier}'\nexport const b = a\n`)
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const done = spawnSync(
    process.execPath,
    [biome, 'lint', '--only=style/noRestrictedImports', '--vcs-enabled=false', file],
    { cwd: scratch, encoding: 'utf8' },
  )
  if (!/Checked 1 file/.test(done.stdout + done.stderr)) throw new Error(done.stdout + done.stderr)
  return /noRestrictedImports/.test(done.stdout + done.stderr)
}

test.each([
  ['src/lib/rules/x.ts', 'node:fs'],
  ['src/lib/rules/x.ts', '../../stores/user.ts'],
  ['src/voice/x.ts', '#islands/dialler/call/call.ts'],
  ['src/stores/x.ts', '#islands/dialler/Dialler.tsx'],
  ['src/stores/x.ts', '@twilio/voice-sdk'],
  ['src/islands/a/x.ts', '#voice/port.ts'],
  ['src/islands/a/x.ts', '#server/config.ts'],
  ['src/pages/x.ts', '#server/config.ts'],
  ['server/services/x.ts', '#session/user.ts'],
  ['server/services/x.ts', '../../src/session/user.ts'],
  ['server/services/x.ts', 'stripe'],
  ['server/payment-provider/open.ts', 'stripe'],
  ['server/payments/stripe/x.ts', '#session/user.ts'],
])('%s may not import %s', (file, specifier) => {
  expect(isRefused(file, specifier)).toBe(true)
})

test.each([
  ['src/lib/api/x.ts', '../rules/money.ts'],
  ['src/voice/x.ts', '@twilio/voice-sdk'],
  ['src/stores/x.ts', '#voice/port.ts'],
  ['src/islands/a/x.ts', '#session/user.ts'],
  ['server/services/x.ts', '#lib/api/me.ts'],
  ['server/payments/stripe/x.ts', 'stripe'],
])('%s may import %s', (file, specifier) => {
  expect(isRefused(file, specifier)).toBe(false)
})
