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
  /** Servers that ended by a signal and not by themselves. */
  readonly kills: number
  readonly minutesCharged: number
  readonly settlements: number
  /** Top-ups ordered, and how often one was told again. */
  readonly topUps: number
  readonly duplicates: number
  /** Attempts to call for which the balance was too low. */
  readonly refused: number
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

/** Less than a call costs on average (0.08 USD), so that most balances are low; with the pause, none stays empty. */
const topUpMicroUsd = 60_000
const topUpPauseMs = 250
const callers = 60
const speed = 60
const lanes = 50

type Credit = Extract<StormOrder, { kind: 'credit' }>

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
  const ordered: Credit[] = []
  const open = new Map<string, Credit>()
  const broken = Promise.withResolvers<never>()
  const running = new Set<ChildProcess>()
  const over = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal })
  let placed = 0
  let told = 0
  let starts = 0
  let kills = 0
  let refused = 0

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
    running.add(child)
    const ready = Promise.withResolvers<void>()
    child.on('message', (news: StormNews) => {
      if (news.kind === 'ready') ready.resolve()
      if (news.kind === 'placed') {
        placed += 1
        orderTopUp()
      }
      if (news.kind === 'refused') refused += 1
      if (news.kind === 'credited') open.delete(news.key)
    })
    child.once('exit', (code, signal) => {
      if (running.has(child)) broken.reject(new Error(`a server ended early: ${code ?? signal}`))
    })
    await ready.promise
    // What the last one may or may not have done is told again.
    for (const order of open.values()) send(child, order)
    return child
  }

  function send(child: ChildProcess, order: StormOrder): void {
    if (!child.connected) return
    if (order.kind === 'credit') told += 2
    child.send(order, () => undefined)
  }

  function orderTopUp(): void {
    if (placed >= plan.calls) return
    const key = `payment:storm-${ordered.length}`
    const { accountId } = chance.pick(people)
    const order: Credit = { kind: 'credit', key, accountId, microUsd: topUpMicroUsd }
    ordered.push(order)
    open.set(key, order)
    for (const { child } of servers) send(child, order)
  }

  async function kill(child: ChildProcess): Promise<void> {
    running.delete(child)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    const [, signal] = (await gone) as [number | null, NodeJS.Signals | null]
    if (signal === 'SIGKILL') kills += 1
  }

  async function finish(child: ChildProcess): Promise<void> {
    running.delete(child)
    const gone = once(child, 'exit')
    child.send({ kind: 'finish' } satisfies StormOrder)
    const [code] = await gone
    if (code !== 0) throw new Error(`a server did not finish: ${code}`)
  }

  const servers: Server[] = []
  async function rage(): Promise<void> {
    for (let index = 0; index < plan.servers; index += 1) {
      const nodeId = `server-${index}`
      servers.push({ nodeId, child: await start(nodeId) })
    }
    for (let nth = 0; nth < plan.kills; nth += 1) {
      const due = Math.round(((nth + 0.2 + chance.upTo(0.6)) * plan.calls) / plan.kills)
      while (placed < due) await pause(5)
      await pause(chance.upTo(40))
      const server = chance.pick(servers)
      await kill(server.child)
      const isLast = nth === plan.kills - 1
      if (isLast && servers.length > 1) servers.splice(servers.indexOf(server), 1)
      else server.child = await start(server.nodeId)
    }
    while (placed < plan.calls) await pause(5)
    for (const { child } of servers) for (const order of open.values()) send(child, order)
    while (open.size > 0) await pause(20)
    await Promise.all(servers.map(({ child }) => finish(child)))
  }

  const payments = setInterval(orderTopUp, topUpPauseMs)
  try {
    await Promise.race([rage(), broken.promise])
  } finally {
    clearInterval(payments)
    over.abort()
    for (const child of running) child.kill('SIGKILL')
  }

  const db = await openPlace(plan.place)
  try {
    return {
      ...(await readOutcome(db, ordered)),
      kills,
      refused,
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
  ordered: readonly Credit[],
): Promise<Omit<StormOutcome, 'kills' | 'refused' | 'topUps' | 'duplicates'>> {
  const count = async (sql: string): Promise<number> =>
    (await db.query<{ n: number }>(`select count(*)::int as n from ${sql}`))[0]?.n ?? Number.NaN
  const credits = await db.query<{ key: string; account: number; n: number; amount: number }>(
    `select key, credit_account as account, count(*)::int as n, sum(amount)::bigint as amount
     from transfer where key like 'payment:storm-%' and key not like 'payment:storm-caller-%'
     group by key, credit_account`,
  )
  const stands = new Set(credits.map(({ key, account, n, amount }) => `${key} ${account} ${n} ${amount}`))
  const wanted = new Set(ordered.map(({ key, accountId, microUsd }) => `${key} ${accountId} 1 ${microUsd}`))
  return {
    calls: await count('call'),
    minutesCharged: await count(`transfer where key ~ '^call:[^:]+:[0-9]+$'`),
    settlements: await count(`transfer where key like '%:settlement'`),
    exhausted: await count(`call_meter where state = 'exhausted'`),
    lost: await count(`call where outcome = 'interrupted'`),
    unsettled: await count(`call where state <> 'ended'`),
    reserved: await count(`app_user where free_call = 'reserved'`),
    wronglyCredited: [
      ...[...wanted].filter(credit => !stands.has(credit)),
      ...[...stands].filter(credit => !wanted.has(credit)),
    ],
    breaches: await findBreaches(db),
  }
}
