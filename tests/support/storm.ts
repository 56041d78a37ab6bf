import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '#server/clock.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Db } from '#server/db/port.ts'
import { systemRandom } from '#server/random.ts'
import { type Breach, findBreaches } from './books.ts'
import { addCaller, type Caller } from './storm-callers.ts'
import { createChance } from './storm-chance.ts'
import { openPlace, type Place } from './storm-database.ts'
import type { StormNews, StormOrder, StormServerOptions } from './storm-process.ts'

export interface StormPlan {
  readonly place: Place
  /** Server processes at once; more than one only on PostgreSQL. */
  readonly servers: number
  readonly calls: number
  readonly kills: number
  readonly seed: number
}

/** What stands in the books after a storm. */
export interface StormOutcome {
  readonly calls: number
  readonly kills: number
  readonly minutesCharged: number
  readonly settlements: number
  /** Top-ups ordered, and how often one was told again. */
  readonly topUps: number
  readonly duplicates: number
  /** Calls whose next minute could not be paid. */
  readonly exhausted: number
  /** Calls that died with their process, or that their process could not vouch for. */
  readonly lost: number
  /** What should be empty. */
  readonly unsettled: number
  readonly reserved: number
  readonly wronglyCredited: readonly string[]
  readonly breaches: readonly Breach[]
}

const topUpMicroUsd = 100_000
const topUpPauseMs = 25
const callers = 60
const speed = 60
const lanes = 50

interface Server {
  readonly nodeId: string
  child: ChildProcess
}

/**
 * Servers carry calls on low balances, top-ups arrive twice, and now and then a server is killed (kill -9) in
 * the middle of it all and started again; of several, the last to be killed never comes back.
 */
export async function runStorm(plan: StormPlan): Promise<StormOutcome> {
  const people = await prepare(plan.place)
  const chance = createChance(plan.seed)
  const beganAtMs = Date.now()
  const open = new Map<string, Extract<StormOrder, { kind: 'credit' }>>()
  const ordered: string[] = []
  let placed = 0
  let told = 0
  let starts = 0

  async function start(nodeId: string): Promise<ChildProcess> {
    starts += 1
    const seed = plan.seed * 1000 + starts
    const options: StormServerOptions = {
      place: plan.place,
      nodeId,
      seed,
      beganAtMs,
      speed,
      lanes: lanes / plan.servers,
    }
    const child = fork(join(import.meta.dirname, 'storm-process.ts'), [JSON.stringify(options)], {
      execArgv: [],
    })
    const ready = Promise.withResolvers<void>()
    child.on('message', (news: StormNews) => {
      if (news.kind === 'ready') ready.resolve()
      if (news.kind === 'placed') placed += 1
      if (news.kind === 'credited') open.delete(news.key)
    })
    child.once('exit', (code, signal) => ready.reject(new Error(`a server ended early: ${code ?? signal}`)))
    await ready.promise
    // What the last one may or may not have done is told again.
    for (const order of open.values()) send(child, order)
    return child
  }

  function send(child: ChildProcess, order: StormOrder): void {
    if (order.kind === 'credit') told += 2
    child.send(order, () => undefined)
  }

  const servers: Server[] = []
  for (let index = 0; index < plan.servers; index += 1) {
    const nodeId = `server-${index}`
    servers.push({ nodeId, child: await start(nodeId) })
  }
  const payments = setInterval(() => {
    const key = `payment:storm-${ordered.length}`
    const order = {
      kind: 'credit',
      key,
      accountId: chance.pick(people).accountId,
      microUsd: topUpMicroUsd,
    } as const
    ordered.push(key)
    open.set(key, order)
    for (const { child } of servers) send(child, order)
  }, topUpPauseMs)

  for (let kill = 0; kill < plan.kills; kill += 1) {
    const due = Math.round(((kill + 0.2 + chance.upTo(0.6)) * plan.calls) / plan.kills)
    while (placed < due) await sleep(5)
    await sleep(chance.upTo(40))
    const server = chance.pick(servers)
    const gone = once(server.child, 'exit')
    server.child.kill('SIGKILL')
    await gone
    const isLast = kill === plan.kills - 1
    if (isLast && servers.length > 1) servers.splice(servers.indexOf(server), 1)
    else server.child = await start(server.nodeId)
  }
  while (placed < plan.calls) await sleep(5)
  clearInterval(payments)
  for (const { child } of servers) for (const order of open.values()) send(child, order)
  while (open.size > 0) await sleep(20)
  await Promise.all(
    servers.map(async ({ child }) => {
      const gone = once(child, 'exit')
      child.send({ kind: 'finish' } satisfies StormOrder)
      const [code] = await gone
      if (code !== 0) throw new Error(`a server did not finish: ${code}`)
    }),
  )

  const db = await openPlace(plan.place)
  try {
    return {
      ...(await readOutcome(db, ordered)),
      kills: plan.kills,
      topUps: ordered.length,
      duplicates: told - ordered.length,
    }
  } finally {
    await db.close()
  }
}

async function prepare(place: Place): Promise<Caller[]> {
  const db = await openPlace(place)
  try {
    await migrate(db, systemClock.now())
    const people: Caller[] = []
    const tools = { db, clock: systemClock, random: systemRandom }
    for (let index = 0; index < callers; index += 1) {
      people.push(await addCaller(tools, `storm-caller-${index}`, { cents: 4, free: index % 3 === 0 }))
    }
    return people
  } finally {
    await db.close()
  }
}

async function readOutcome(
  db: Db,
  ordered: readonly string[],
): Promise<Omit<StormOutcome, 'kills' | 'topUps' | 'duplicates'>> {
  const count = async (sql: string): Promise<number> =>
    (await db.query<{ n: number }>(`select count(*)::int as n from ${sql}`))[0]?.n ?? Number.NaN
  const credits = await db.query<{ key: string; n: number; amount: number }>(
    `select key, count(*)::int as n, sum(amount)::bigint as amount from transfer where key like 'payment:storm-%' group by key`,
  )
  const right = new Set(
    credits.filter(row => row.n === 1 && row.amount === topUpMicroUsd).map(row => row.key),
  )
  return {
    calls: await count('call'),
    minutesCharged: await count(`transfer where key ~ '^call:[^:]+:[0-9]+$'`),
    settlements: await count(`transfer where key like '%:settlement'`),
    exhausted: await count(`call_meter where state = 'exhausted'`),
    lost: await count(`call where outcome = 'interrupted'`),
    unsettled: await count(`call where state <> 'ended'`),
    reserved: await count(`app_user where free_call = 'reserved'`),
    wronglyCredited: ordered.filter(key => !right.has(key)),
    breaches: await findBreaches(db),
  }
}
