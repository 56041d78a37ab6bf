import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { findMissingTrunkPackages } from '#scripts/trunk-programs.mjs'
import { endRuns, environment, run } from '#support/server-run.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'

/** `npm run start:trunk`, from outside. */

const root = join(import.meta.dirname, '..', '..', '..', '..')
afterEach(endRuns)

interface Process {
  readonly pid: number
  readonly parent: number
  readonly name: string
}

function readProcesses(): Process[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const [, command = '', state, parent] =
          /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), name: command }]
      } catch {
        return [] // It has ended meanwhile.
      }
    })
}

function readDescendants(pid: number): Process[] {
  const all = readProcesses()
  const below = (parent: number): Process[] =>
    all.filter(each => each.parent === parent).flatMap(each => [each, ...below(each.pid)])
  return below(pid)
}

function readLiving(processes: readonly Process[]): Process[] {
  const now = readProcesses()
  return processes.filter(({ pid, name }) => now.some(each => each.pid === pid && each.name === name))
}

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'farline-start-trunk-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

test.skipIf(trunkIsMissing())(
  'ends everything it started when `npm run start:trunk` alone is sent SIGTERM',
  async () => {
    const env = await environment()
    const npm = run({ ...env, HOME: process.env.HOME ?? '' }, ['npm', 'run', 'start:trunk'])
    await npm.until(/Farline is ready/)
    const started = readDescendants(npm.child.pid ?? 0)
    const programs = started.map(({ name }) => name)
    for (const [name, count] of [
      ['sipp', 2],
      ['redis-server', 2],
      ['rtpengine', 1],
    ] as const)
      expect(programs.filter(program => program === name)).toHaveLength(count)
    expect(programs).toContain('kamailio')
    npm.child.kill('SIGTERM')
    await npm.exitCode()
    await expect.poll(() => readLiving(started), { timeout: 15_000 }).toEqual([])
  },
  240_000,
)

test.skipIf(trunkIsMissing())(
  'ends what it started when it is sent SIGTERM before the server runs',
  async () => {
    const demo = run({ ...(await environment()) }, [process.execPath, 'tests/trunk-demo/main.ts'])
    await expect
      .poll(() => readDescendants(demo.child.pid ?? 0).map(({ name }) => name), {
        timeout: 15_000,
        interval: 5,
      })
      .toContain('rtpengine')
    const started = readDescendants(demo.child.pid ?? 0)
    demo.child.kill('SIGTERM')
    await demo.exitCode()
    expect(demo.output()).not.toContain('Farline is ready')
    await expect.poll(() => readLiving(started), { timeout: 15_000 }).toEqual([])
  },
)

/** The script without installed packages, in a system where these directories are empty. */
function startWithout(hidden: readonly string[]): { status: number | null; output: string; copy: string } {
  const copy = makeDirectory()
  for (const name of ['package.json', 'package-lock.json', 'scripts'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  const covers = hidden.map(directory => `mount -t tmpfs tmpfs ${directory} && `).join('')
  const script = `${covers}exec "$0" scripts/start-trunk.mjs`
  const done = spawnSync('unshare', ['--mount', 'sh', '-c', script, process.execPath], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { status: done.status, output: done.stdout + done.stderr, copy }
}

function namespacesAreMissing(): boolean {
  const missing = spawnSync('unshare', ['--mount', 'true']).status !== 0
  if (missing) console.log('SKIPPED: hiding programs needs root. Run this as root, in a container.')
  return missing
}

function findModules(): string | undefined {
  return readdirSync('/usr/lib')
    .map(name => join('/usr/lib', name, 'kamailio', 'modules'))
    .find(directory => existsSync(directory))
}

test.skipIf(trunkIsMissing() || namespacesAreMissing())(
  'says what is missing before it installs or builds, as one command',
  () => {
    const { status, output, copy } = startWithout([findModules() ?? ''])
    expect(output).toBe(
      'Calls over trunks need programs of Debian that are not installed here. Install them, as root:\n' +
        '  apt-get install --no-install-recommends kamailio-redis-modules kamailio-websocket-modules\n',
    )
    expect(status).toBe(1)
    expect(existsSync(join(copy, 'node_modules'))).toBe(false)
  },
)

test('names the package of each program and of each module that the edge loads', () => {
  const system = makeDirectory()
  const add = (file: string) => {
    mkdirSync(dirname(join(system, file)), { recursive: true })
    writeFileSync(join(system, file), '')
  }
  const missing = () => findMissingTrunkPackages({ root: system, path: '' })
  expect(missing()).toEqual([
    'kamailio',
    'rtpengine-daemon',
    'sip-tester',
    'redis-server',
    'redis-tools',
    'kamailio-redis-modules',
    'kamailio-websocket-modules',
  ])
  for (const name of ['sbin/kamailio', 'bin/rtpengine', 'bin/sipp', 'bin/redis-server']) add(`usr/${name}`)
  add('usr/lib/x86_64-linux-gnu/kamailio/modules/websocket.so')
  expect(missing()).toEqual(['redis-tools', 'kamailio-redis-modules'])
  add('usr/local/bin/redis-cli')
  add('usr/lib/x86_64-linux-gnu/kamailio/modules/db_redis.so')
  expect(missing()).toEqual([])
})
