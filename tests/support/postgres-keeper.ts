/**
 * Runs a temporary PostgreSQL for its parent process. Stops it and deletes its files when the parent closes our
 * standard input: on request, by ending, or by being killed. Run by `postgres.ts`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [programs = '', password = '', ...settings] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'farline-postgres-'))
const data = join(directory, 'data')
const owner = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined
const as = { cwd: directory, env: { PATH: programs, LC_ALL: 'C', TZ: 'UTC' }, ...owner }

let server: ChildProcess | undefined
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
// Ctrl-C also reaches the parent, which decides what to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

initialise()
const port = await findFreePort()
await start()
console.log(`ready ${port} ${directory}`)
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'restart') {
    await stop()
    await start()
    console.log('restarted')
  }
}
await stop()
process.exit(0)

function initialise(): void {
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner !== undefined) for (const path of [directory, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const done = spawnSync(
    join(programs, 'initdb'),
    [
      ...['-D', data, '-U', 'farline', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...['-E', 'UTF8', '--locale', 'C', '--no-sync'],
    ],
    { ...as, encoding: 'utf8' },
  )
  rmSync(passwordFile)
  if (done.status !== 0) throw new Error(`initdb failed: ${done.stderr}${done.error?.message ?? ''}`)
}

async function start(): Promise<void> {
  const options = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...options.flatMap(o => ['-c', o])], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  server = child
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (log.includes('ready to accept connections')) return
      log += String(chunk)
      if (log.includes('ready to accept connections')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
  })
}

/** Kills the server without a clean shutdown, as in a crash or a power cut. */
async function stop(): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGQUIT')
  await gone
}

/** PostgreSQL does not run as root. */
function findUnprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (found === undefined) throw new Error('no user but root to run PostgreSQL as')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
