// @module-tag slow
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { endRuns, environment, run } from '#support/server-run.ts'
import { findFreePort } from '#support/test-server.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'

afterEach(endRuns)

function readPeakMb(pid: number | undefined): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / 1e6
}

test('says where it is ready, answers health checks, and stops in good order when the terminal closes', async () => {
  const env = await environment('empty')
  const server = run(env)
  await server.until(/inbox/)
  expect(server.output()).toBe(
    `Farline is ready at http://localhost:${env.PORT}\nLocal inbox: http://localhost:${env.PORT}/dev/inbox\n`,
  )
  for (const path of ['/healthz', '/readyz']) {
    expect((await fetch(`http://127.0.0.1:${env.PORT}${path}`)).status).toBe(200)
  }
  // 220 to 290 with nothing else running (`npm run bench -- start-up`); a database that compiles twice reaches 900.
  expect(readPeakMb(server.child.pid)).toBeLessThan(400)
  server.child.kill('SIGHUP')
  expect(await server.exitCode()).toBe(0)
})

test('stops with the server when `npm start` alone is sent SIGTERM', async () => {
  const env = await environment()
  const npm = run({ ...env, HOME: process.env.HOME ?? '' }, ['npm', 'start'])
  await npm.until(/ready/)
  npm.child.kill('SIGTERM')
  await npm.exitCode()
  await expect(fetch(`http://127.0.0.1:${env.PORT}/healthz`)).rejects.toThrow()
}, 120_000)

test('rejects a second server on the same data or the same port, with what to do', async () => {
  const env = await environment()
  const first = run(env)
  await first.until(/ready/)
  const onItsData = run({ ...env, PORT: String(await findFreePort()) })
  expect(await onItsData.exitCode()).toBe(1)
  expect(onItsData.output()).toMatch(
    /is in use by another Farline process\. Stop that one first, or set DATA_DIR/,
  )
  const onItsPort = run({ ...(await environment()), PORT: env.PORT })
  expect(await onItsPort.exitCode()).toBe(1)
  expect(onItsPort.output()).toContain(`Port ${env.PORT} is taken by another program.`)
})

test('rejects a bad configuration before anything starts', async () => {
  const server = run({ PORT: 'abc' })
  expect(await server.exitCode()).toBe(1)
  expect(server.output()).toMatch(/PORT: must be a whole number/)
})

/** The project without pages and without a built site. */
function copyServer(): string {
  const root = join(import.meta.dirname, '..', '..', '..')
  const copy = mkdtempSync(join(tmpdir(), 'farline-start-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const name of ['package.json', 'package-lock.json', 'scripts', 'server', 'src/lib'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

test.each(['start', 'dev', ...(trunkIsMissing() ? [] : ['start-trunk'])])(
  'rejects a bad configuration before a build (%s)',
  async command => {
    const copy = copyServer()
    const env = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    const started = run(env, [process.execPath, join(copy, `scripts/${command}.mjs`)])
    expect(await started.exitCode()).toBe(1)
    expect(started.output()).toBe(
      'The configuration cannot be used:\n  - STRIPE_SECRET_KEY: a live key moves real money. ' +
        'Set NODE_ENV=production, or use a test key, sk_test_… or rk_test_…\n',
    )
    expect(existsSync(join(copy, 'dist'))).toBe(false)
  },
)

test('rejects a port that is taken before a build', async () => {
  const copy = copyServer()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const PORT = String((other.address() as AddressInfo).port)
  const started = run({ PORT }, [process.execPath, join(copy, 'scripts/start.mjs')])
  expect(await started.exitCode()).toBe(1)
  expect(started.output()).toBe(
    `Port ${PORT} is taken by another program. Stop that one, or choose another: PORT=4322 npm start\n`,
  )
  expect(existsSync(join(copy, 'dist'))).toBe(false)
})
