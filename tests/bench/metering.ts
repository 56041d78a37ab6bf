import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgresPrograms } from '#scripts/postgres-programs.mjs'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import type { Database, Db } from '#server/db/port.ts'
import { findBreaches } from '#support/books.ts'
import { type Engine, openFreshDatabase } from '#support/engine.ts'
import { type PostgresServer, startPostgres } from '#support/postgres.ts'
import type { Figure } from './main.ts'
import { meterServices, runMeter, type Turns } from './meter-run.ts'
import { addRunningCalls } from './running-calls.ts'

const seconds = 15
const crowds = [10_000, 100_000]
const setUpMsPerCall = 0.5

/** The database and so many processes that meter it at once; on the embedded one that is this process. */
interface Setting {
  readonly name: string
  readonly engine: Engine
  readonly processes: number
}

/**
 * How late minutes are charged while so many calls are in progress, and how many minutes a second can be
 * charged when all are due at once; PostgreSQL commits to disk, and pgbench runs beside it in the same run.
 */
export async function benchMetering(): Promise<Figure[]> {
  const figures = await benchEngine([{ name: 'embedded', engine: { kind: 'embedded' }, processes: 1 }])
  if (findPostgresPrograms() === undefined) {
    return [...figures, { what: 'metering on PostgreSQL', value: 'SKIPPED: PostgreSQL is not installed' }]
  }
  const server = await startPostgres({ durable: true })
  const engine: Engine = { kind: 'postgres', serverUrl: server.url }
  try {
    figures.push(
      ...(await benchEngine([
        { name: 'PostgreSQL, 1 process', engine, processes: 1 },
        { name: 'PostgreSQL, 2 processes', engine, processes: 2 },
      ])),
    )
    const peer = await runPgbench(server)
    const chargesPerSecond = await chargeAll(engine, 10_000)
    figures.push(
      { what: 'charges a second, all due at once (PostgreSQL)', value: chargesPerSecond.toFixed(0) },
      {
        what: "pgbench's simple update, 2 clients, same server and run",
        value: `${peer.toFixed(0)} a second`,
      },
      { what: 'ratio', value: (chargesPerSecond / peer).toFixed(2) },
    )
  } finally {
    await server.stop()
  }
  return figures
}

async function benchEngine(settings: readonly Setting[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const setting of settings) {
    for (const calls of crowds) figures.push(...(await meterCrowd(setting, calls)))
  }
  const [first] = settings
  if (first?.engine.kind === 'embedded') {
    const value = (await chargeAll(first.engine, 10_000)).toFixed(0)
    figures.push({ what: 'charges a second, all due at once (embedded)', value })
  }
  return figures
}

async function meterCrowd({ name, engine, processes }: Setting, calls: number): Promise<Figure[]> {
  const database = await openFreshDatabase(engine, new Date())
  try {
    const children = await startProcesses(database.url, processes)
    // The first minutes begin once all calls stand: setting them up is no part of the lag.
    const beginsAtMs = Date.now() + calls * setUpMsPerCall
    await addRunningCalls(database.db, calls, new Date(beginsAtMs), 60_000)
    await new Promise(resolve => setTimeout(resolve, beginsAtMs - Date.now()))
    const turns =
      database.url === undefined ? await runMeter(database.db, seconds) : await askProcesses(children)
    const lags = await readLags(database.db, turns)
    await requireBalancedBooks(database.db)
    const at = (share: number) =>
      lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? Number.NaN
    return [
      {
        what: `minutes charged a second, ${calls} calls (${name})`,
        value: `${(lags.length / seconds).toFixed(0)} of ${(calls / 60).toFixed(0)} that begin`,
      },
      {
        what: `lag behind the minute's start, ${calls} calls (${name})`,
        value: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
      },
    ]
  } finally {
    await database.close()
  }
}

async function startProcesses(url: string | undefined, count: number): Promise<ChildProcess[]> {
  if (url === undefined) return []
  const script = join(import.meta.dirname, 'meter-process.ts')
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [script, url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  )
  await Promise.all(children.map(child => once(child, 'message')))
  return children
}

async function askProcesses(children: readonly ChildProcess[]): Promise<Turns> {
  const answers = await Promise.all(
    children.map(async child => {
      const answered = once(child, 'message')
      child.send(seconds)
      return ((await answered) as [Turns])[0]
    }),
  )
  return answers.flat()
}

/** How long after its start each minute stood in the books, in milliseconds, the shortest first. */
async function readLags(db: Db, turns: Turns): Promise<number[]> {
  const done = new Map<number, number>()
  for (const [atMs, doneMs] of turns) done.set(atMs, Math.max(doneMs, done.get(atMs) ?? 0))
  const rows = await db.query<{ charged_at: Date; due_at: Date }>(
    `select transfer.created_at as charged_at, next_charge_at - interval '60.001 seconds' as due_at
     from call_meter join transfer on transfer.call_id = call_meter.call_id`,
  )
  return rows
    .map(row => (done.get(row.charged_at.getTime()) ?? Number.NaN) - row.due_at.getTime())
    .sort((a, b) => a - b)
}

/** Minutes charged a second when every call's minute is due at the same time. */
async function chargeAll(engine: Engine, calls: number): Promise<number> {
  const database = await openFreshDatabase(engine, new Date())
  try {
    await addRunningCalls(database.db, calls, new Date(Date.now() - 1000), 1)
    const started = performance.now()
    const charged = await chargeDueMinutes(meterServices(database.db))
    const perSecond = charged / ((performance.now() - started) / 1000)
    if (charged !== calls) throw new Error(`${charged} of ${calls} calls were charged`)
    await requireBalancedBooks(database.db)
    return perSecond
  } finally {
    await database.close()
  }
}

async function requireBalancedBooks(db: Database): Promise<void> {
  const [breach] = await findBreaches(db)
  if (breach !== undefined) throw new Error(`the books do not balance: ${JSON.stringify(breach)}`)
}

/** Transactions a second of pgbench's built-in simple update. */
async function runPgbench(server: PostgresServer): Promise<number> {
  const url = new URL(server.url)
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(
      join(server.programs, 'pgbench'),
      [...args, '--host', url.hostname, '--port', url.port, '--username', url.username, 'postgres'],
      { env: { PATH: process.env.PATH ?? '', PGPASSWORD: url.password } },
    )
    return stdout
  }
  await run('--initialize', '--scale', '10', '--quiet')
  const report = await run('--builtin', 'simple-update', '--client', '2', '--jobs', '2', '--time', '10')
  const [, tps] = /tps = ([\d.]+)/.exec(report) ?? []
  if (tps === undefined) throw new Error(`pgbench said something else: ${report}`)
  return Number(tps)
}
