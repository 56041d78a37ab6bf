import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startStandIn } from '#support/stand-in-server.ts'
import { findFreePort } from '#support/test-server.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const unitFile = join(root, 'deploy/systemd/farline@.service')
const unit = readFileSync(unitFile, 'utf8')
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

test('systemd understands the unit, and finds nothing to warn of', () => {
  const directory = mkdtempSync(join(tmpdir(), 'farline-unit-'))
  // The program and the user stand where they are on a server; here they need to be found.
  const here = unit.replaceAll('/opt/farline/current', directory).replace(/^(User|Group)=.*$/gm, '$1=root')
  mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true })
  symlinkSync(process.execPath, join(directory, 'node_modules/.bin/node'))
  const instance = join(directory, 'farline@4321.service')
  writeFileSync(instance, here)
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', instance], { encoding: 'utf8' })
  rmSync(directory, { recursive: true })
  if (verified.error !== undefined) {
    return console.log(
      'SKIPPED: systemd-analyze is not installed. Debian: `apt-get install systemd` as root.',
    )
  }
  // It also looks at what is installed on this machine.
  const complaints = verified.stderr.split('\n').filter(line => line.includes('farline'))
  expect([verified.status, complaints]).toEqual([0, []])
})

test('a server is given longer to end its work than it takes at most', () => {
  const [, longestStopMs = ''] =
    /longestStopMs = ([\d_]+)/.exec(readFileSync(join(root, 'server/main.ts'), 'utf8')) ?? []
  const longest = Number(longestStopMs.replaceAll('_', ''))
  expect(longest).toBeGreaterThan(0)
  expect(Number(setting('TimeoutStopSec')) * 1000).toBeGreaterThan(longest)
  const compose = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')
  const [, grace = ''] = /x-server:[\s\S]*?stop_grace_period: (\d+)s/.exec(compose) ?? []
  expect(Number(grace) * 1000).toBeGreaterThan(longest)
})

test('each process has a directory of its own, and nothing else that it may write to', () => {
  expect(setting('StateDirectory')).toBe('farline/%i')
  expect(setting('Environment')).toContain('DATA_DIR=/var/lib/farline/%i')
  expect([setting('ProtectSystem'), setting('NoNewPrivileges'), setting('CapabilityBoundingSet')]).toEqual([
    'strict',
    'yes',
    '',
  ])
})

/** A `systemctl` that writes down what it was told, and does nothing. */
function pretendSystemctl(): { path: string; told: () => string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'farline-systemctl-'))
  const program = join(directory, 'systemctl')
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${join(directory, 'told')}\n`)
  chmodSync(program, 0o755)
  return {
    path: `${directory}:${process.env['PATH']}`,
    told: () => readFileSync(join(directory, 'told'), 'utf8'),
    remove: () => rmSync(directory, { recursive: true }),
  }
}

const noCurl = spawnSync('curl', ['--version']).error !== undefined
if (noCurl)
  console.log('SKIPPED: rolling restarts: curl is not installed. Debian: `apt-get install curl` as root.')

test.skipIf(noCurl)(
  'a rolling restart goes on to the next server when the one before takes work again',
  async () => {
    const { path, told, remove } = pretendSystemctl()
    let asked = 0
    const first = await startStandIn((request, response) => {
      asked += 1
      expect([request.url, told().split('\n').length - 1]).toEqual(['/readyz', 1])
      response.writeHead(asked < 3 ? 503 : 200).end()
    })
    const second = await startStandIn((_request, response) => response.end())
    const ports = [first, second].map(({ address }) => address.split(':')[1] ?? '')
    const { stdout } = await promisify(execFile)(join(root, 'deploy/systemd/rolling-restart.sh'), ports, {
      env: { ...process.env, PATH: path },
    })
    await first.close()
    await second.close()
    expect(told()).toBe(ports.map(port => `restart farline@${port}\n`).join(''))
    expect(stdout).toBe(ports.map(port => `farline@${port} is ready\n`).join(''))
    expect(asked).toBe(3)
    remove()
  },
)

test.skipIf(noCurl)(
  'a rolling restart leaves the others alone when a server does not come back',
  async () => {
    const { path, told, remove } = pretendSystemctl()
    const [gone, other] = [String(await findFreePort()), String(await findFreePort())]
    // Two minutes are too long for a test: `sleep` is told not to.
    writeFileSync(join(path.split(':')[0] ?? '', 'sleep'), '#!/bin/sh\n', { mode: 0o755 })
    const run = promisify(execFile)(join(root, 'deploy/systemd/rolling-restart.sh'), [gone, other], {
      env: { ...process.env, PATH: path },
    })
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`farline@${gone} does not come back`),
    })
    expect(told()).toBe(`restart farline@${gone}\n`)
    remove()
  },
)
