import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startStandIn } from '#support/stand-in-server.ts'
import { findFreePort } from '#support/test-server.ts'

const root = join(import.meta.dirname, '..', '..')
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

test('each process has a directory of its own, and nothing else that it may write to', () => {
  expect(setting('StateDirectory')).toBe('farline/%i')
  expect(setting('Environment')).toContain('DATA_DIR=/var/lib/farline/%i')
  expect([setting('ProtectSystem'), setting('NoNewPrivileges'), setting('CapabilityBoundingSet')]).toEqual([
    'strict',
    'yes',
    '',
  ])
})

/** A `systemctl` that records its arguments, one word a line or all in one, and does nothing. */
function pretend(
  name: string,
  format = '%s ',
): { path: string; readCommands: () => string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'farline-systemctl-'))
  const program = join(directory, name)
  const line = `{ printf '${format}' "$@"; echo; } | sed 's/ $//' >> ${join(directory, 'told')}`
  writeFileSync(program, `#!/bin/sh\n${line}\n`)
  chmodSync(program, 0o755)
  return {
    path: `${directory}:${process.env['PATH']}`,
    readCommands: () => readFileSync(join(directory, 'told'), 'utf8'),
    remove: () => rmSync(directory, { recursive: true }),
  }
}

const noCurl = spawnSync('curl', ['--version']).error !== undefined
if (noCurl)
  console.log('SKIPPED: rolling restarts: curl is not installed. Debian: `apt-get install curl` as root.')

test.skipIf(noCurl)(
  'a rolling restart continues with the next server when the one before accepts work again',
  async () => {
    const { path, readCommands, remove } = pretend('systemctl')
    let asked = 0
    const first = await startStandIn((request, response) => {
      asked += 1
      expect([request.url, readCommands().split('\n').length - 1]).toEqual(['/readyz', 1])
      response.writeHead(asked < 3 ? 503 : 200).end()
    })
    const second = await startStandIn((_request, response) => response.end())
    const ports = [first, second].map(({ address }) => address.split(':')[1] ?? '')
    const { stdout } = await promisify(execFile)(join(root, 'deploy/systemd/rolling-restart.sh'), ports, {
      env: { ...process.env, PATH: path },
    })
    await first.close()
    await second.close()
    expect(readCommands()).toBe(ports.map(port => `restart farline@${port}\n`).join(''))
    expect(stdout).toBe(ports.map(port => `farline@${port} is ready\n`).join(''))
    expect(asked).toBe(3)
    remove()
  },
)

test("an operator's command has the servers' user, environment and release, and arrives word for word", async () => {
  const { path, readCommands, remove } = pretend('systemd-run', '%s\\n')
  const program = join(root, 'deploy/systemd/farline-run')
  const env = { ...process.env, PATH: path, FARLINE_PORT: '4322' }
  const args = ['credit', 'anna@example.com', '5', '--reason', "the $5 she's owed, all of it"]
  await promisify(execFile)(program, ['admin', ...args], { env })
  const [options = '', run = ''] = readCommands().split('\n--\n')
  for (const name of ['User', 'EnvironmentFile', 'WorkingDirectory', 'StateDirectory', 'UMask'])
    expect(options.split('\n')).toContain(`--property=${name}=${setting(name)?.replace('%i', '4322')}`)
  expect(options.split('\n')).toContain('--setenv=DATA_DIR=/var/lib/farline/4322')
  const node = '/opt/farline/current/node_modules/.bin/node'
  const escaped = args.map(word => word.replaceAll('$', '$$$$'))
  expect(run.trim().split('\n')).toEqual([node, 'scripts/admin.mjs', ...escaped])
  remove()

  const other = pretend('systemd-run', '%s\\n')
  await promisify(execFile)(program, ['ledger:check'], { env: { ...env, PATH: other.path } })
  await promisify(execFile)(program, ['sh', '-c', 'psql "$DATABASE_URL"'], {
    env: { ...env, PATH: other.path },
  })
  expect(other.readCommands()).toContain(`\n--\n${node}\nscripts/ledger-check.mjs\n`)
  expect(other.readCommands()).toContain('\n--\nsh\n-c\npsql "$$DATABASE_URL"\n')
  other.remove()
  await expect(promisify(execFile)(program, [], { env })).rejects.toMatchObject({ code: 2 })
})

test('has every command that is named for operators', () => {
  const script = readFileSync(join(root, 'deploy/systemd/farline-run'), 'utf8')
  const names = /^ {2}(admin \|.*)\)$/m.exec(script)?.[1]?.split(' | ') ?? []
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) expect(existsSync(join(root, `scripts/${name}.mjs`)), name).toBe(true)
})

test.skipIf(noCurl)(
  'a rolling restart leaves the others alone when a server does not come back',
  async () => {
    const { path, readCommands, remove } = pretend('systemctl')
    const [gone, other] = [String(await findFreePort()), String(await findFreePort())]
    // Two minutes are too long for a test, so `sleep` is replaced.
    writeFileSync(join(path.split(':')[0] ?? '', 'sleep'), '#!/bin/sh\n', { mode: 0o755 })
    const run = promisify(execFile)(join(root, 'deploy/systemd/rolling-restart.sh'), [gone, other], {
      env: { ...process.env, PATH: path },
    })
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`farline@${gone} does not come back`),
    })
    expect(readCommands()).toBe(`restart farline@${gone}\n`)
    remove()
  },
)
