import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#server/db/migrate.ts'
import { systemClock } from '#server/process/clock.ts'
import { systemRandom } from '#server/process/random.ts'
import { addCaller, referrers } from './storm-callers.ts'
import { createChance } from './storm-chance.ts'
import { openPlace, type Place } from './storm-database.ts'
import { readBooks, type StormBooks } from './storm-outcome.ts'
import type { StormMessage, StormOrder, StormServerOptions } from './storm-process.ts'

export interface StormPlan {
  readonly place: Place
  /** Number of concurrent server processes; more than one only on PostgreSQL. */
  readonly servers: number
  /** Total of calls placed and events delivered to the webhook. */
  readonly acts: number
  readonly kills: number
  readonly seed: number
}

/** The books after a storm, and observations from outside. */
export interface StormOutcome extends StormBooks {
  /** Servers that were ended by a signal. */
  readonly kills: number
  readonly placed: number
  /** Requests to the webhook; `deliveredAgain` are those with a past event. */
  readonly deliveries: number
  readonly deliveredAgain: number
  readonly refused: number
  readonly differences: readonly string[]
}

const people = 40
const startCents = 4
const speed = 60
const lanes = 24

interface Server {
  readonly nodeId: string
  child: ChildProcess
}

/**
 * Servers carry calls on low balances; users buy, are topped up, refunded and disputed; events arrive more than once.
 * Now and then a server is killed (SIGKILL) and restarted. With several servers, the last one killed is not
 * restarted.
 */
export async function runStorm(plan: StormPlan): Promise<StormOutcome> {
  await prepare(plan.place)
  const chance = createChance(plan.seed)
  const beganAtMs = Date.now()
  const broken = Promise.withResolvers<never>()
  const running = new Set<ChildProcess>()
  const over = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal })
  const talked = new Map<string, number | null>()
  const differences: string[] = []
  const seen = { placed: 0, deliveries: 0, deliveredAgain: 0, refused: 0, kills: 0 }
  let starts = 0

  function receive(message: StormMessage): void {
    switch (message.kind) {
      case 'ready':
        return
      case 'placed':
        seen.placed += 1
        return
      case 'refused':
        seen.refused += 1
        return
      case 'delivered':
        seen.deliveries += 1
        if (message.isAgain) seen.deliveredAgain += 1
        return
      case 'ended':
        talked.set(message.callId, message.answeredMs)
        return
      case 'reconciled':
        differences.push(...message.differences)
    }
  }

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
    child.on('message', (message: StormMessage) => {
      if (message.kind === 'ready') ready.resolve()
      receive(message)
    })
    child.once('exit', (code, signal) => {
      if (running.has(child)) broken.reject(new Error(`a server ended early: ${code ?? signal}`))
    })
    await ready.promise
    return child
  }

  async function kill(child: ChildProcess): Promise<void> {
    running.delete(child)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    const [, signal] = (await gone) as [number | null, NodeJS.Signals | null]
    if (signal === 'SIGKILL') seen.kills += 1
  }

  async function finish(child: ChildProcess): Promise<void> {
    running.delete(child)
    const gone = once(child, 'exit')
    child.send({ kind: 'finish' } satisfies StormOrder)
    const [code] = await gone
    if (code !== 0) throw new Error(`a server did not finish: ${code}`)
  }

  const acts = () => seen.placed + seen.deliveries
  async function rage(): Promise<void> {
    const servers: Server[] = []
    for (let index = 0; index < plan.servers; index += 1) {
      const nodeId = `server-${index}`
      servers.push({ nodeId, child: await start(nodeId) })
    }
    for (let nth = 0; nth < plan.kills; nth += 1) {
      const due = Math.round(((nth + 0.2 + chance.upTo(0.6)) * plan.acts) / plan.kills)
      while (acts() < due) await pause(5)
      await pause(chance.upTo(40))
      const server = chance.pick(servers)
      await kill(server.child)
      const isLast = nth === plan.kills - 1
      if (isLast && servers.length > 1) servers.splice(servers.indexOf(server), 1)
      else server.child = await start(server.nodeId)
    }
    while (acts() < plan.acts) await pause(5)
    await Promise.all(servers.map(({ child }) => finish(child)))
  }

  try {
    await Promise.race([rage(), broken.promise])
  } finally {
    over.abort()
    for (const child of running) child.kill('SIGKILL')
  }

  const db = await openPlace(plan.place)
  try {
    return { ...(await readBooks(db, talked, people * startCents * 10_000)), ...seen, differences }
  } finally {
    await db.close()
  }
}

async function prepare(place: Place): Promise<void> {
  const db = await openPlace(place)
  try {
    await migrate(db, systemClock.now())
    const tools = { db, clock: systemClock, random: systemRandom }
    for (let nth = 0; nth < people; nth += 1) {
      const { id } = await addCaller(tools, `storm-caller-${nth}`, { cents: startCents, free: nth % 3 === 0 })
      const code = referrers[nth]
      if (code === undefined) continue
      await db.query('update app_user set referral_code = $2 where id = $1', [id, code])
    }
  } finally {
    await db.close()
  }
}
