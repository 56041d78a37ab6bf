import fc from 'fast-check'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import type { CallRow } from '#server/calls/rows.ts'
import { placingGraceMs, reconcileCalls, silenceMs } from '#server/calls/settlement/reconcile-calls.ts'
import type { Services } from '#server/context.ts'
import { post } from '#server/ledger/ledger.ts'
import type { CallControl, CarrierEvent } from '#server/telephony/port.ts'
import { findBreaches } from './books.ts'
import { addCaller, type Caller, stormNumbers } from './storm-callers.ts'
import { createLivingNetwork, type LivingNetwork } from './storm-network.ts'
import { widePolicy } from './wide-policy.ts'
import type { World } from './world.ts'

const small = fc.nat(7)
const process = fc.constantFrom(0, 1)

/** Possible steps, in any order. Numbers select among the calls or users that exist at that moment. */
const stepArbitrary = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('place'), process, user: fc.nat(2), number: fc.nat(2) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ring'), call: small }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('answer'), call: small }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      call: small,
      end: fc.constantFrom('caller_hung_up', 'callee_hung_up', 'connection_lost', 'busy'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('report'),
      which: small,
      how: fc.constantFrom('once', 'twice', 'twice at once', 'never'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('all reports'), backwards: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 90_000 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('meter'), process }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('heartbeat'), process }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reconcile'), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), process }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('credit'), user: fc.nat(2), key: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('two meters at once') }) },
)
type Step = typeof stepArbitrary extends fc.Arbitrary<infer Value> ? Value : never

export const storyArbitrary = fc.record({
  /** Each user's initial balance in cents, and whether the free call is available. */
  users: fc.tuple(...Array.from({ length: 3 }, () => fc.record({ cents: fc.nat(40), free: fc.boolean() }))),
  steps: fc.array(stepArbitrary, { minLength: 5, maxLength: 60 }),
})
export type Story = typeof storyArbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** One server process: its services, its network, and events not yet reported. */
interface Node {
  readonly services: Services
  readonly control: CallControl
  readonly network: LivingNetwork
  readonly reports: CarrierEvent[]
}

interface Truth {
  readonly node: Node
  ended?: { answeredMs: number | null }
  /** True if its process was killed, or was considered dead, before settlement. */
  mayBeLost: boolean
}

const topUpMicroUsd = 50_000
let stories = 0

/**
 * Plays a story with two processes on one database, lets all calls end, and compares the books with the facts.
 * @returns errors; empty when the books are right
 */
export async function playStory(world: World, story: Story): Promise<string[]> {
  stories += 1
  const name = `${stories}`
  const { db, clock } = world
  const truths = new Map<string, Truth>()
  const nodes = [createNode(world, `a${name}`, truths), createNode(world, `b${name}`, truths)] as const
  const users = await Promise.all(
    story.users.map((user, index) => addCaller(world.services, `story-${name}-${index}`, user)),
  )
  const callIds: string[] = []

  const nodeOf = (index: number): Node => nodes[index === 0 ? 0 : 1]
  const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length]
  const userOf = (index: number) => users[index % users.length] ?? raise('a story has users')

  const reconcile = async (node: Node, graceMs: number): Promise<void> => {
    const silent = await db.query<{ id: string }>(
      `select id from call where state <> 'ended' and node <> $1
       and extract(epoch from $2::timestamptz - coalesce(heartbeat_at, placed_at)) * 1000 >= $3::int`,
      [node.services.nodeId, clock.now(), silenceMs],
    )
    for (const { id } of silent) {
      const truth = truths.get(id)
      if (truth !== undefined) truth.mayBeLost = true
    }
    await reconcileCalls(node.services, graceMs)
  }

  const play = async (step: Step): Promise<void> => {
    switch (step.kind) {
      case 'place': {
        const node = nodeOf(step.process)
        const to = stormNumbers[step.number] ?? stormNumbers[0]
        const placement = await node.control.place({ userId: userOf(step.user).id, to, callerId: undefined })
        if (placement.kind === 'refuse') return
        truths.set(placement.callId, { node, mayBeLost: false })
        callIds.push(placement.callId)
        node.network.connect(placement.callId, placement.limitMs)
        return
      }
      case 'ring':
      case 'answer':
      case 'end': {
        const callId = pick(callIds, step.call)
        if (callId === undefined) return
        const network = truths.get(callId)?.node.network
        if (step.kind === 'end') network?.end(callId, step.end)
        else network?.[step.kind](callId)
        return
      }
      case 'report': {
        const node = nodeOf(step.which % 2)
        const [event] = node.reports.splice(step.which % Math.max(1, node.reports.length), 1)
        if (event === undefined || step.how === 'never') return
        if (step.how === 'twice at once') {
          await Promise.all([node.control.report(event), node.control.report(event)])
          return
        }
        await node.control.report(event)
        if (step.how === 'twice') await node.control.report(event)
        return
      }
      case 'all reports':
        for (const node of nodes) {
          const events = node.reports.splice(0)
          for (const event of step.backwards ? events.reverse() : events) await node.control.report(event)
        }
        return
      case 'pass':
        clock.advance(step.ms)
        for (const node of nodes) node.network.enforceLimits()
        return
      case 'meter':
        await chargeDueMinutes(nodeOf(step.process).services)
        return
      case 'two meters at once':
        await Promise.all(nodes.map(node => chargeDueMinutes(node.services)))
        return
      case 'heartbeat': {
        const node = nodeOf(step.process)
        await recordHeartbeats(node.services, node.network.live())
        return
      }
      case 'reconcile':
        await reconcile(nodeOf(step.process), placingGraceMs)
        return
      case 'restart': {
        const node = nodeOf(step.process)
        for (const truth of truths.values()) if (truth.node === node) truth.mayBeLost = true
        node.network.die()
        node.reports.length = 0
        await reconcile(node, 0)
        return
      }
      case 'credit': {
        const key = `payment:story-${name}-${step.user}-${step.key}`
        const credit = userOf(step.user).accountId
        await post(db, { key, debit: 'payments', credit, amountMicroUsd: topUpMicroUsd, at: clock.now() })
        return
      }
      default:
        step satisfies never
    }
  }

  for (const step of story.steps) await play(step)
  // Unreported events are lost. Advance past every limit, so that both processes reconcile what is left.
  for (let minute = 0; minute < 2; minute += 1) {
    clock.advance(6 * 3_600_000)
    for (const node of nodes) {
      await recordHeartbeats(node.services, node.network.live())
      await chargeDueMinutes(node.services)
      await reconcile(node, placingGraceMs)
    }
  }

  const wrong: string[] = []
  for (const node of nodes)
    if (node.network.live().length > 0) wrong.push('a call still lives on the network')
  for (const callId of callIds) wrong.push(...(await judge(world, callId, truths.get(callId))))
  for (const user of users) wrong.push(...(await judgeUser(world, user)))
  const breaches = await findBreaches(db)
  return [...wrong, ...breaches.map(breach => JSON.stringify(breach))]
}

function createNode(world: World, nodeId: string, truths: Map<string, Truth>): Node {
  const reports: CarrierEvent[] = []
  const network = createLivingNetwork(world.clock, event => {
    reports.push(event)
    const truth = truths.get(event.callId)
    if (truth !== undefined && event.kind === 'ended') truth.ended = { answeredMs: event.answeredMs }
  })
  const policy = widePolicy({ concurrentCalls: 2 })
  const services: Services = { ...world.services, telephony: network, nodeId, policy }
  return { services, control: createCallControl(services), network, reports }
}

/** Checks that a call was settled exactly once, for the time really talked. */
async function judge({ db, notices }: World, callId: string, truth: Truth | undefined): Promise<string[]> {
  const [call] = await db.query<CallRow>('select * from call where id = $1', [callId])
  if (call?.state !== 'ended') return [`call ${callId} was not settled`]
  const wrong: string[] = []
  const userNotices = notices.filter(
    ({ kind, event }) =>
      kind === 'call' && 'state' in event && event.id === callId && event.state === 'ended',
  )
  if (userNotices.length !== 1) wrong.push(`call ${callId} was settled ${userNotices.length} times`)
  const [meter] = await db.query<{ minutes: number; state: string }>(
    'select minutes, state from call_meter where call_id = $1',
    [callId],
  )
  const paidMs = meter?.state === 'exhausted' ? meter.minutes * 60_000 : Number.POSITIVE_INFINITY
  const lost = call.outcome === 'interrupted'
  if (lost && !truth?.mayBeLost) wrong.push(`call ${callId} counts as lost, but its process lived`)
  const talkedMs = lost ? msUntilHeartbeat(call) : (truth?.ended?.answeredMs ?? null)
  const expectedMs = talkedMs === null ? null : Math.min(talkedMs, call.limit_ms, paidMs)
  if (call.answered_ms !== expectedMs) {
    wrong.push(`call ${callId} lasted ${expectedMs} ms and was settled to ${call.answered_ms} ms`)
  }
  return wrong
}

function msUntilHeartbeat({ answered_at: from, heartbeat_at: until, alive_ms }: CallRow): number | null {
  if (from !== null && alive_ms !== null) return alive_ms
  return from === null || until === null ? null : Math.max(0, until.getTime() - from.getTime())
}

async function judgeUser({ db }: World, { id }: Caller): Promise<string[]> {
  const reserved = await db.query(`select 1 from app_user where id = $1 and free_call = 'reserved'`, [id])
  return reserved.length === 0 ? [] : [`a free call of user ${id} stays reserved`]
}

function raise(message: string): never {
  throw new Error(message)
}
