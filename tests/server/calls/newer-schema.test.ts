import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCall, listCalls } from '#server/services/calls/history.ts'
import { placingGraceMs, reconcileCalls } from '#server/services/calls/reconcile.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld, type World } from '#support/world.ts'

/** CONTRIBUTING.md: a migration works while servers of the version before still run, and so do they. */

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('a call goes its whole way on sessions that were open when a newer version added columns', async () => {
  const user = await world.addUser({ credit: 1 })
  async function wholeCall(): Promise<void> {
    const { callId, end } = await connectCall(world.control, user.id, '+12125550100')
    await reconcileCalls(world.services, placingGraceMs)
    await end(10_000)
    expect(await findCall(world.db, user.id, callId)).toMatchObject({ state: 'ended', cost: 0.02 })
    expect((await listCalls(world.db, user.id, undefined)).calls[0]?.id).toBe(callId)
  }
  await wholeCall()
  for (const table of ['app_user', 'account', 'call', 'call_meter', 'transfer']) {
    await world.db.query(`alter table ${table} add column newer text default 'newer'`)
  }
  world.clock.advance(1000)
  await wholeCall()
  expect(await findBreaches(world.db)).toEqual([])
})
