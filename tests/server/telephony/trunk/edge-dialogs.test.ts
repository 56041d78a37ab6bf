import { describe, expect, test, vi } from 'vitest'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { call, openTcpWorld, openWorld, plainOffer } from '#support/trunk/world.ts'

describe.skipIf(trunkIsMissing())('a call at the edge', () => {
  /**
   * Over TCP, since this carrier sends its next request in the moment after its ACK. Over UDP Kamailio's processes sometimes pass
   * the two on the other way round, and SIP.js rejects an INVITE that comes before the ACK of the last one: 500, with a
   * Retry-After. SIPp does not try again.
   */
  test('goes on when the carrier moves its sound, holds it, and refreshes it', async () => {
    const { world, carrier } = await openTcpWorld({ kind: 'renegotiates' })
    const { leg, events, until } = call(world)
    await until('answered')
    const answered = new Set()
    await vi.waitFor(
      () => {
        for (const event of events) {
          if (event.kind !== 'reoffered' || answered.has(event)) continue
          answered.add(event)
          event.reply(plainOffer)
        }
        expect(carrier.replies().map(({ to }) => to)).toContain('200 UPDATE')
      },
      { timeout: 8000, interval: 20 },
    )
    const confirmed = carrier.replies().filter(({ to }) => to.startsWith('200'))
    expect(confirmed.map(({ to }) => to)).toEqual(['200 INVITE', '200 INVITE', '200 INVITE', '200 UPDATE'])
    expect(confirmed.map(({ sdp }) => /a=(recvonly|sendonly|inactive)/.exec(sdp)?.[1])).toEqual([
      undefined,
      'recvonly',
      undefined,
      undefined,
    ])
    expect(confirmed.map(({ sdp }) => /^o=- 1 (\d+)/m.exec(sdp)?.[1])).toEqual(['2', '3', '4', undefined])
    leg.hangUp()
    await vi.waitFor(() => expect(carrier.count('BYE')).toBe(1), { timeout: 5000 })
  })

  test('ends when its carrier never confirms the end', async () => {
    const world = await openWorld([{ kind: 'ignores_end' }], 'calls=1')
    const { leg, until, record } = call(world)
    await until('answered')
    leg.hangUp()
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'caller' }), {
      timeout: 5000,
    })
    // The carrier has room for another.
    await call(world).until('answered')
  })

  test('ends at its limit when its carrier has vanished', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const { until, record } = call(world, { limitSeconds: 1 })
    await until('answered')
    await world.carriers[0]?.kill()
    await until('ended')
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'edge' }), { timeout: 5000 })
  })

  // Both ends confirm at once. The confirmation of one must keep Kamailio neither from telling the other nor from recording it.
  test('ends at its limit at both ends, and is recorded, many times over', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const calls = Array.from({ length: 60 }, () => call(world, { limitSeconds: 2 }))
    // On a machine with much else to do the last of them was answered after 24 s.
    await Promise.all(calls.map(({ until }) => until('answered', 40_000)))
    await Promise.all(calls.map(({ until }) => until('ended', 10_000)))
    // A busy machine sends some of them twice.
    const ended = () =>
      new Set(world.carriers[0]?.requests('BYE').map(message => /^Call-ID: (.*)/im.exec(message)?.[1]))
    await vi.waitFor(() => expect(ended().size).toBe(calls.length), { timeout: 5000 })
    const records = await Promise.all(calls.map(({ record }) => record()))
    expect(records.filter(found => found?.endedBy === 'edge' && found.endedAtMs !== undefined)).toHaveLength(
      calls.length,
    )
  })
})
