import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findFreePort } from '#support/test-server.ts'

const root = join(import.meta.dirname, '..', '..')
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

interface Run {
  readonly child: ChildProcess
  output(): string
  /** Resolves once the output matches. */
  until(pattern: RegExp): Promise<void>
  exitCode(): Promise<number>
}

function run(environment: Record<string, string>): Run {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...environment },
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)))
  const exited = once(child, 'close').then(([code]) => Number(code))
  return {
    child,
    output: () => output,
    until: async pattern => {
      while (!pattern.test(output)) {
        if (child.exitCode !== null) throw new Error(`the server ended: ${output}`)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    exitCode: () => exited,
  }
}

async function environment() {
  return { PORT: String(await findFreePort()), DATA_DIR: mkdtempSync(join(tmpdir(), 'farline-main-')) }
}

test('says where it is ready, answers health checks, and stops in good order', async () => {
  const env = await environment()
  const server = run(env)
  await server.until(/inbox/)
  expect(server.output()).toBe(
    `Farline is ready at http://localhost:${env.PORT}\nLocal inbox: http://localhost:${env.PORT}/dev/inbox\n`,
  )
  for (const path of ['/healthz', '/readyz']) {
    expect((await fetch(`http://127.0.0.1:${env.PORT}${path}`)).status).toBe(200)
  }
  server.child.kill('SIGTERM')
  expect(await server.exitCode()).toBe(0)
})

test('a second server on the same data is refused with what to do', async () => {
  const env = await environment()
  const first = run(env)
  await first.until(/ready/)
  const second = run({ ...env, PORT: String(await findFreePort()) })
  expect(await second.exitCode()).toBe(1)
  expect(second.output()).toMatch(
    /is in use by another Farline process\. Stop that one first, or set DATA_DIR/,
  )
})

test('a taken port is refused with what to do', async () => {
  const env = await environment()
  const first = run(env)
  await first.until(/ready/)
  const second = run({ ...(await environment()), PORT: env.PORT })
  expect(await second.exitCode()).toBe(1)
  expect(second.output()).toContain(`Port ${env.PORT} is taken by another program.`)
})

test('a bad configuration is refused before anything starts', async () => {
  const server = run({ PORT: 'abc' })
  expect(await server.exitCode()).toBe(1)
  expect(server.output()).toMatch(/PORT: must be a whole number/)
})
