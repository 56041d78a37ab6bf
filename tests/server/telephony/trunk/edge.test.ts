import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { call, openWorld } from '#support/trunk/world.ts'

const soon = { timeout: 5000, interval: 200 }

describe.skipIf(trunkIsMissing())('the edge of a trunk', () => {
  test('connects a call, and records when it was answered and who ended it', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const { leg, until, record, kinds } = call(world)
    await until('answered')
    expect(kinds()).toEqual(['ringing', 'answered'])
    expect(await record()).toMatchObject({ carrier: 1, endedAtMs: undefined })
    leg.hangUp()
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'caller' }), {
      timeout: 5000,
    })
    const { answeredAtMs, endedAtMs, placedAtMs } = (await record()) ?? {}
    expect([placedAtMs, answeredAtMs, endedAtMs]).toEqual([placedAtMs, answeredAtMs, endedAtMs].toSorted())
    expect(world.carriers[0]?.count('BYE')).toBe(1)
  })

  test('sends nothing of ours to the carrier', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    await call(world).until('answered')
    const [invitation = ''] = world.carriers[0]?.invitations() ?? []
    expect(invitation).not.toMatch(/^X-|WebSocket|SIP\.js/im)
  })

  test('passes on the sound before the answer', async () => {
    const world = await openWorld([{ kind: 'answers', early: true }])
    expect(await call(world).until('ringing')).toMatchObject({ sdp: expect.stringContaining('m=audio') })
  })

  test('reports that the callee hung up', async () => {
    const world = await openWorld([{ kind: 'answers', hangsUpAfterMs: 100 }])
    const { until, record } = call(world)
    await until('ended')
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'callee' }), {
      timeout: 5000,
    })
  })

  test('cancels a call that nobody answered', async () => {
    const world = await openWorld([{ kind: 'rings' }])
    const { leg, until, record } = call(world)
    await until('ringing')
    leg.hangUp()
    await vi.waitFor(() => expect(world.carriers[0]?.count('CANCEL')).toBe(1), { timeout: 5000 })
    await vi.waitFor(async () => expect((await record())?.endedAtMs).toBeDefined(), { timeout: 5000 })
  })

  test('passes on how a carrier rejects a call', async () => {
    const world = await openWorld([{ kind: 'rejects', status: '486 Busy Here' }])
    const { until, record } = call(world)
    expect(await until('rejected')).toEqual({ kind: 'rejected', code: 486, edge: undefined })
    await vi.waitFor(
      async () => expect(await record()).toMatchObject({ code: 486, answeredAtMs: undefined }),
      { timeout: 5000 },
    )
  })

  test('gives up a carrier that does not answer, and then it gets no more calls', async () => {
    const world = await openWorld([])
    expect(await call(world, { carrier: 9 }).until('rejected', 10_000)).toMatchObject({ edge: 'timeout' })
    await vi.waitFor(
      async () =>
        expect(await call(world, { carrier: 9 }).until('rejected', 10_000)).toMatchObject({
          edge: 'unreachable',
        }),
      { timeout: 20_000 },
    )
  })

  test('gives a carrier no calls as long as it answers no question, and one that answers all calls', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    // Two questions, ten seconds apart, and the time to wait for their answers.
    await sleep(25_000)
    expect(await call(world, { carrier: 9 }).until('rejected')).toMatchObject({ edge: 'unreachable' })
    await call(world).until('answered')
  })

  test('places no more calls at once than a carrier takes', async () => {
    const world = await openWorld([{ kind: 'answers' }], 'calls=1')
    await call(world).until('answered')
    expect(await call(world).until('rejected')).toMatchObject({ edge: 'full' })
    expect(world.carriers[0]?.invitations()).toHaveLength(1)
  })

  test('places no more calls a second than a carrier takes', async () => {
    const world = await openWorld([{ kind: 'answers' }], 'cps=2')
    const calls = Array.from({ length: 6 }, () => call(world))
    await vi.waitFor(
      () => expect(calls.filter(({ kinds }) => kinds().includes('rejected')).length).toBeGreaterThan(1),
      { timeout: 5000 },
    )
    expect(world.carriers[0]?.invitations().length).toBeLessThanOrEqual(4)
  })

  test('logs in to a carrier that asks for a password', async () => {
    const password = 's3cret;pass'
    const world = await openWorld(
      [{ kind: 'asks_password', user: 'farline', password }],
      `user=farline;password=${Buffer.from(password).toString('hex')}`,
    )
    const { leg, until } = call(world)
    await until('answered')
    leg.hangUp()
    await vi.waitFor(() => expect(world.carriers[0]?.count('BYE')).toBe(1), { timeout: 5000 })
    expect(world.edge.log()).not.toContain(password)
  })

  test('ends a call at its limit without any of our servers', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const { until, record } = call(world, { limitSeconds: 2 })
    await until('answered')
    await world.signalling.close()
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'edge' }), { timeout: 5000 })
    const { answeredAtMs = 0, endedAtMs = 0 } = (await record()) ?? {}
    expect(endedAtMs - answeredAtMs).toBeLessThan(4000)
    await vi.waitFor(() => expect(world.carriers[0]?.count('BYE')).toBe(1), { timeout: 5000 })
  })

  test('ends a call at its limit after a crash of its own', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const { until, record } = call(world, { limitSeconds: 4 })
    await until('answered')
    // A crash in the very moment of the answer ends the call.
    await sleep(300)
    await world.edge.kill()
    await world.edge.start()
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'edge' }), { timeout: 8000 })
    const { answeredAtMs = 0, endedAtMs = 0 } = (await record()) ?? {}
    expect(endedAtMs - answeredAtMs).toBeGreaterThan(3000)
    expect(endedAtMs - answeredAtMs).toBeLessThan(6000)
    await vi.waitFor(() => expect(world.carriers[0]?.count('BYE')).toBe(1), { timeout: 5000 })
  })

  test('keeps the end of a call that ended just before a crash of its own', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const { leg, until, record } = call(world, { limitSeconds: 4 })
    await until('answered')
    leg.hangUp()
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'caller' }), soon)
    const ended = await record()
    await world.edge.kill()
    await world.edge.start()
    // By then the edge has ended the call once more.
    await vi.waitFor(() => expect(world.carriers[0]?.count('BYE')).toBeGreaterThan(1), { timeout: 15_000 })
    expect(await record()).toEqual(ended)
  })

  test('moves the limit of a call', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const { until, record } = call(world, { limitSeconds: 60 })
    await until('answered')
    await vi.waitFor(async () => expect(await record()).toMatchObject({ dialog: expect.anything() }), {
      timeout: 5000,
    })
    const found = await record()
    expect(found && (await world.records.setLimit(found, { fromNow: 1, fromAnswer: 2 }))).toBe(true)
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'edge', limitMs: 2000 }), {
      timeout: 4000,
    })
    await until('ended')
  })

  test.each(['answers', 'rings'] as const)(
    'ends the call of another process when the carrier %s',
    async kind => {
      const world = await openWorld([{ kind }])
      const { until, record } = call(world)
      await until(kind === 'rings' ? 'ringing' : 'answered')
      // The edge writes it down when it has passed on the answer.
      const isKnown = kind === 'rings' ? {} : { dialog: expect.anything() }
      await vi.waitFor(async () => expect(await record()).toMatchObject(isKnown), { timeout: 5000 })
      await vi.waitFor(async () => {
        const found = await record()
        // An edge that has not seen the ACK yet sends no BYE: our servers ask again, too.
        if (found !== undefined) await world.records.hangUp(found)
        expect(world.carriers[0]?.count(kind === 'rings' ? 'CANCEL' : 'BYE')).toBeGreaterThan(0)
        expect(found?.endedAtMs).toBeDefined()
      }, soon)
    },
  )

  // Both ends answer its BYE at once, and then Kamailio now and then reports no end of the dialog.
  test('records the end of each of thirty calls that it ends', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    for (let count = 0; count < 30; count += 1) {
      const { until, record } = call(world)
      await until('answered')
      await vi.waitFor(async () => expect(await record()).toMatchObject({ dialog: expect.anything() }), {
        timeout: 5000,
      })
      await vi.waitFor(async () => {
        const found = await record()
        if (found !== undefined) await world.records.hangUp(found)
        expect(found).toMatchObject({ endedBy: 'edge' })
      }, soon)
    }
  })
})
