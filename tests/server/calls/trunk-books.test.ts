import { expect, test } from 'vitest'
import { dayMs, hourMs } from '#lib/time.ts'
import { dropCalls } from '#server/accounts/retention/drop-calls.ts'
import { trunkBooks } from '#server/calls/carrier/trunk-books.ts'
import { keepQuality } from '#server/calls/settlement/quality.ts'
import type { AttemptOutcome } from '#server/telephony/trunk/trunk-books.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())
const books = trunkBooks(world.db)
const user = await world.addUser({ credit: 10 })
const sound = { seconds: 60, heardSeconds: 50, mos: 4, lossPercent: 0, jitterMs: 5, roundTripMs: 90 }

const recordedOf = (callId: string) =>
  world.db.query(
    'select attempt, carrier, cost, began_at, outcome from carrier_attempt where call_id = $1 order by attempt',
    [callId],
  )

/** An ended call that these carriers were tried for, the last of them by the outcome of the call. */
async function call(tried: readonly (readonly [carrier: string, outcome: AttemptOutcome])[]) {
  const { callId, end } = await connectCall(world.control, user.id, '+12125550100')
  for (const [attempt, [carrier, outcome]] of tried.entries())
    await books.record({ callId, attempt, carrier, costMicroUsd: 9_000, beganAt: world.clock.now(), outcome })
  await end(61_000)
  return callId
}

test('an attempt is recorded once, with its carrier and what a minute costs there', async () => {
  const callId = await call([
    ['blue', 'failed'],
    ['red', 'answered'],
  ])
  const shared = { cost: 9_000, began_at: world.clock.now() }
  expect(await recordedOf(callId)).toEqual([
    { attempt: 0, carrier: 'blue', outcome: 'failed', ...shared },
    { attempt: 1, carrier: 'red', outcome: 'answered', ...shared },
  ])
  const again = { callId, attempt: 1, carrier: 'red', costMicroUsd: 9_000, beganAt: world.clock.now() }
  await expect(books.record({ ...again, outcome: 'failed' })).rejects.toThrow('carrier_attempt')
})

test('results count what was placed since a time, and the sound of answered calls', async () => {
  world.clock.advance(hourMs)
  const since = world.clock.now()
  const measured = [
    await call([['blue', 'answered']]),
    await call([
      ['red', 'failed'],
      ['blue', 'answered'],
    ]),
  ]
  await call([['blue', 'unanswered']])
  await call([['blue', 'abandoned']])
  await call([['blue', 'not_placed']])
  const silent = await call([['blue', 'answered']])
  await call([['blue', 'answered']])
  await keepQuality(world.services, user.id, measured[0] ?? '', { ...sound, mos: 4.5 })
  await keepQuality(world.services, user.id, measured[1] ?? '', { ...sound, mos: 3.5 })
  await keepQuality(world.services, user.id, silent, { ...sound, heardSeconds: 0, mos: 4.4 })
  const results = await books.resultsSince(since)
  expect(results.toSorted((a, b) => (a.carrier < b.carrier ? -1 : 1))).toEqual([
    { carrier: 'blue', attempts: 6, answered: 4, measured: 3, mos: 3 },
    // The sound of a call is that of the carrier that took it.
    { carrier: 'red', attempts: 1, answered: 0, measured: 0, mos: undefined },
  ])
  expect(await books.resultsSince(new Date(since.getTime() + 1))).toEqual([])
})

test('attempts go with the record of their call', async () => {
  const callId = await call([['blue', 'answered']])
  world.clock.advance((world.services.policy.callRecordsDays + 1) * dayMs)
  expect(await dropCalls(world.services)).toBeGreaterThan(0)
  expect(await recordedOf(callId)).toEqual([])
})
