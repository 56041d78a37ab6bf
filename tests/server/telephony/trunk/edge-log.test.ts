import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { call, openWorld } from '#support/trunk/world.ts'

describe.skipIf(trunkIsMissing())("the edge's log", () => {
  test('names no number and no password, whatever becomes of a call', async () => {
    const password = randomUUID()
    const hexadecimal = Buffer.from(password).toString('hex')
    const world = await openWorld(
      [
        { kind: 'asks_password', user: 'farline', password },
        { kind: 'asks_password', user: 'farline', password: 'another' },
        { kind: 'rejects', status: '503 Service Unavailable' },
        { kind: 'answers', hangsUpAfterMs: 100 },
      ],
      `user=farline;password=${hexadecimal}`,
    )
    const first = call(world)
    await first.until('answered')
    first.leg.hangUp()
    for (const carrier of [2, 3, 9, 10]) await call(world, { carrier }).until('rejected', 10_000)
    await call(world, { carrier: 4 }).until('ended')
    await call(world, { carrier: 4, limitSeconds: 0 }).until('rejected')
    const log = world.edge.log()
    expect(log).not.toBe('')
    expect(log).not.toMatch(/2079460000|2125550199/)
    for (const secret of [password, hexadecimal]) expect(log).not.toContain(secret)
  })
})
