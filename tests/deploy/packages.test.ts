import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const directory = mkdtempSync(join(tmpdir(), 'farline-packages-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const lockfile = {
  '': { name: 'farline' },
  'node_modules/fastify': { version: '5.0.0' },
  'node_modules/other-platform': { version: '1.0.0', optional: true },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/yaml': { version: '2.0.0', devOptional: true },
}
type Packages = Record<string, { name?: string; version?: string }>

/** A release with these packages installed, and what its commands say and do on a machine without npm. */
function command(file: string, installed: Packages, environment: Record<string, string> = {}) {
  cpSync(join(root, 'scripts'), join(directory, 'scripts'), { recursive: true })
  mkdirSync(join(directory, 'node_modules'), { recursive: true })
  mkdirSync(join(directory, 'server'), { recursive: true })
  writeFileSync(join(directory, 'server', 'doctor.ts'), `console.log('the doctor runs')`)
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages: lockfile }))
  writeFileSync(
    join(directory, 'node_modules', '.package-lock.json'),
    JSON.stringify({ packages: installed }),
  )
  const env = { PATH: join(directory, 'nothing'), ...environment }
  return spawnSync(process.execPath, [file], { cwd: directory, env, encoding: 'utf8' })
}

const production: Packages = { 'node_modules/fastify': { version: '5.0.0' } }

test("an operator's command runs on packages of production, and installs nothing", () => {
  const ran = command('scripts/doctor.mjs', production)
  expect(ran).toMatchObject({ status: 0, stdout: 'the doctor runs\n', stderr: '' })
})

test('in production reports packages that are missing or differ, and does not touch them', () => {
  for (const installed of [{}, { 'node_modules/fastify': { version: '4.0.0' } }]) {
    const { status, stdout, stderr } = command('scripts/doctor.mjs', installed, { NODE_ENV: 'production' })
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('npm ci --omit=dev')])
  }
})

test('the tests need all packages, and starting those of production', () => {
  const { status, stdout } = command('scripts/test.mjs', production)
  expect([status, stdout]).toEqual([1, expect.stringContaining('Installing packages')])
  expect(command('scripts/start.mjs', production).stdout).not.toContain('Installing packages')
  expect(command('scripts/start.mjs', {}).stdout).toContain('Installing packages')
})

test('without npm the registry could not be reached, which is not a vulnerability', () => {
  const { status, stderr } = command('scripts/audit.mjs', production)
  expect([status, stderr]).toEqual([2, expect.stringContaining('The registry could not be reached.')])
})
