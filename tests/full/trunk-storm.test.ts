import { expect, test } from 'vitest'
import { createChance } from '#support/storm-chance.ts'
import { type BookedCall, startTestServer } from '#support/test-server.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab } from '#support/trunk/lab.ts'
import { type AttemptAtCarrier, attemptsIn } from '#support/trunk/sipp-log.ts'
import { addCallers, type Outage, placeCalls, rage } from '#support/trunk/storm.ts'

const calls = 5000
const seed = 21
/** Of the tariff, for the numbers called. */
const rateMicroUsd = 20_000
const minuteMs = 60_000
/** How far a call may go beyond its limit, and how long it may take to reach the second carrier. */
const allowedMs = 2000

test.skipIf(trunkIsMissing())(
  'while carriers, edge, media host and server are killed in 5,000 calls, no cent is lost and nobody is rung twice',
  async () => {
    // It looks for the telephone first, as carriers do: until then a call can be taken back.
    const behaviour = { kind: 'answers', tryingMs: 100, ringMs: 100 } as const
    const lab = await startTrunkLab(
      [
        { name: 'amber', behaviour, sells: { 1: 4000 } },
        { name: 'blue', behaviour, sells: { 1: 6000 } },
        // What the user pays does not cover the card's part.
        { name: 'expensive', behaviour, sells: { 1: rateMicroUsd } },
      ],
      { mediaPorts: { min: 30_000, max: 32_000 } },
    )
    const server = await startTestServer({
      environment: {
        TELEPHONY: 'trunk',
        TRUNK_FILE: lab.file,
        CALL_ATTEMPTS_PER_HOUR: '10000',
        ANSWERED_CALLS_PER_HOUR: '10000',
        ANSWERED_CALLS_PER_DAY: '100000',
        // Each call that a kill hits is an error.
        LOG_LEVEL: 'fatal',
      },
      policy: { voiceTokenSeconds: 3600 },
    })
    const attemptsAt = (name: 'amber' | 'blue') => attemptsIn(lab.carrier(name).log())
    try {
      const chance = createChance(seed)
      // The server answers no question while it is killed.
      const callers = await addCallers(server, calls)
      let isOver = false
      const raging = rage({
        ...{ server, lab, killed: 'amber', slow: 'blue' },
        ...{ chance: chance.fork(), isOver: () => isOver },
      })
      const seen = await placeCalls(new URL(server.url).host, callers, chance.fork()).finally(() => {
        isOver = true
      })
      const outages = await raging

      // A call that nobody carries any more ends at its limit, which is two minutes at most.
      const open = () => [
        ...openCalls(attemptsAt('amber'), kindOf(outages, 'killed carrier')),
        ...openCalls(attemptsAt('blue'), []),
      ]
      await expect.poll(open, { timeout: 2.5 * minuteMs, interval: 5000 }).toEqual([])
      const live = async () => (await server.calls()).filter(({ state }) => state !== 'ended')
      await expect.poll(live, { timeout: minuteMs, interval: 1000 }).toEqual([])

      const booked = await server.calls()
      const [amber, blue] = [attemptsAt('amber'), attemptsAt('blue')]
      const atCarriers = Map.groupBy([...amber, ...blue], ({ callId }) => callId)
      const failovers = findFailovers(booked, blue, kindOf(outages, 'killed carrier'))
      const overtimes = findOvertimes(booked, atCarriers, kindOf(outages, 'edge'))
      const charged = booked.filter(({ minutesCharged }) => minutesCharged > 0)
      const counts = {
        calls: booked.length,
        answered: seen.filter(({ isAnswered }) => isAnswered).length,
        charged: charged.length,
        atAmber: amber.length,
        atBlue: blue.length,
        failovers: failovers.length,
        cutOff: overtimes.filter(({ ms }) => ms > -allowedMs).length,
        ...Object.fromEntries(
          [...Map.groupBy(outages, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length]),
        ),
      }
      const longest = (times: readonly CallTime[]) => Math.round(Math.max(...times.map(({ ms }) => ms)))
      console.log(
        `a storm over trunks, seed ${seed}: ${JSON.stringify(counts)}, longest way to the second carrier ` +
          `${longest(failovers)} ms, furthest beyond a limit ${longest(overtimes)} ms`,
      )

      expect(await server.findBreaches()).toEqual([])
      const wasPickedUp = ({ id }: BookedCall) =>
        atCarriers.get(id)?.some(({ answeredAtMs }) => answeredAtMs !== undefined)
      expect(charged.filter(call => !wasPickedUp(call))).toEqual([])
      const chargedIds = new Set(charged.map(({ id }) => id))
      expect(seen.filter(({ isAnswered, callId = '' }) => isAnswered && !chargedIds.has(callId))).toEqual([])
      const ringsOf = (attempts: readonly AttemptAtCarrier[]) =>
        attempts.filter(({ rangAtMs }) => rangAtMs !== undefined)
      expect([...atCarriers.values()].map(ringsOf).filter(({ length }) => length > 1)).toEqual([])
      expect(lab.carrier('expensive').invitations()).toEqual([])
      expect(overtimes.filter(({ ms }) => ms > allowedMs)).toEqual([])
      expect(failovers.filter(({ ms }) => ms > allowedMs)).toEqual([])
      // A storm in which nothing of this happened shows nothing.
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0)
    } finally {
      await server.close()
      await lab.close()
    }
  },
  90 * minuteMs,
)

interface CallTime {
  readonly callId: string
  readonly ms: number
}

function kindOf(outages: readonly Outage[], wanted: Outage['kind']): readonly Outage[] {
  return outages.filter(({ kind }) => kind === wanted)
}

/** Calls that were picked up and not ended. A carrier forgets its calls when it is killed. */
function openCalls(
  attempts: readonly AttemptAtCarrier[],
  kills: readonly Outage[],
): readonly AttemptAtCarrier[] {
  return attempts.filter(
    ({ answeredAtMs, isConfirmed, endedAtMs }) =>
      answeredAtMs !== undefined &&
      isConfirmed &&
      endedAtMs === undefined &&
      !kills.some(({ fromMs }) => fromMs > answeredAtMs),
  )
}

/** @returns the way to the second carrier of each call that was placed while the first was dead; Infinity if it did not get there */
function findFailovers(
  booked: readonly BookedCall[],
  atSecond: readonly AttemptAtCarrier[],
  outages: readonly Outage[],
): readonly CallTime[] {
  const invitedAtMs = new Map(atSecond.map(attempt => [attempt.callId, attempt.invitedAtMs]))
  return booked.flatMap(({ id, triedAtMs }) => {
    if (triedAtMs === null) return []
    // Late in an outage the first carrier may come back before the call moves on.
    const isDead = outages.some(
      ({ fromMs, toMs }) => triedAtMs >= fromMs && triedAtMs < toMs - allowedMs - 1000,
    )
    if (!isDead) return []
    const reachedAtMs = invitedAtMs.get(id) ?? Number.POSITIVE_INFINITY
    return [{ callId: id, ms: reachedAtMs - triedAtMs }]
  })
}

/** @returns how far each call went beyond its limit; negative if it ended before. An edge that is away ends nothing */
function findOvertimes(
  booked: readonly BookedCall[],
  atCarriers: ReadonlyMap<string, readonly AttemptAtCarrier[]>,
  edgeOutages: readonly Outage[],
): readonly CallTime[] {
  return booked.flatMap(({ id, limitMs }) =>
    (atCarriers.get(id) ?? []).flatMap(({ answeredAtMs, endedAtMs }) => {
      if (answeredAtMs === undefined || endedAtMs === undefined) return []
      const limitAtMs = answeredAtMs + limitMs
      const away = edgeOutages.find(
        ({ fromMs, toMs }) => fromMs <= limitAtMs + allowedMs && toMs >= limitAtMs,
      )
      return [{ callId: id, ms: endedAtMs - Math.max(limitAtMs, away?.toMs ?? limitAtMs) }]
    }),
  )
}
