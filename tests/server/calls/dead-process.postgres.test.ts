import { expect, test } from 'vitest'
import { placingGraceMs, reconcileCalls, silenceMs } from '#server/calls/settlement/reconcile-calls.ts'
import { findBreaches } from '#support/books.ts'
import { runUntilKilled } from '#support/failpoint-run.ts'
import { createWorld } from '#support/world.ts'

test('the calls of a process that was killed and never comes back are settled by another one', async () => {
  const world = await createWorld()
  try {
    const end = await runUntilKilled({
      place: { kind: 'postgres', url: world.databaseUrl ?? '' },
      nodeId: 'the-other-process',
      name: 'dead',
      startsAtMs: world.clock.now().getTime(),
      // In its first call, after the answer was committed and charged.
      death: { at: 25, where: 'after' },
    })
    expect(end).toBe('SIGKILL')
    const live = () => world.db.query(`select state from call where state <> 'ended'`)
    expect(await live()).toEqual([{ state: 'answered' }])

    await reconcileCalls(world.services, 0)
    expect(await live()).toHaveLength(1)
    // Its own clock was up to two minutes ahead by then.
    world.clock.advance(silenceMs + 120_002)
    expect(await reconcileCalls(world.services, placingGraceMs)).toBe(1)
    expect(await live()).toEqual([])
    expect(await findBreaches(world.db)).toEqual([])
  } finally {
    await world.close()
  }
})
