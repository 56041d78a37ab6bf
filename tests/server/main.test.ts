import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { endRuns, environment, run } from '#support/server-run.ts'
import { findFreePort } from '#support/test-server.ts'

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
