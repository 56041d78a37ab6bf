import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { systemClock } from '#server/process/clock.ts'
import { LineTimers } from '#server/telephony/exchange/line-timers.ts'
import { Ticker } from '#server/telephony/exchange/media/ticker.ts'
import type { Edge } from '#server/telephony/trunk/edge.ts'
import { EdgeRecords } from '#server/telephony/trunk/edge-records.ts'
import { MediaHost } from '#server/telephony/trunk/media-host.ts'
import type { RoutedCall } from '#server/telephony/trunk/routes.ts'
import { Signalling } from '#server/telephony/trunk/signalling.ts'
import type { CarrierAttempt } from '#server/telephony/trunk/trunk-books.ts'
import { TrunkSide } from '#server/telephony/trunk/trunk-side.ts'
import { type Carrier, startCarrier } from '#support/trunk/carrier.ts'
import { carrierOf } from '#support/trunk/carriers.ts'
import { startEdge, trunkIsMissing } from '#support/trunk/edge.ts'
import { startMediaHost } from '#support/trunk/media-host.ts'
import type { Behaviour } from '#support/trunk/scenarios.ts'
import { Phone } from '../exchange/phone.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** `dead`: a carrier where nobody answers. `stopped`: one that is stopped, and would ring. */
type Place = Behaviour | 'dead' | 'stopped'

async function openCarrier(place: Place): Promise<Carrier | undefined> {
  if (place === 'dead') return undefined
  const carrier = await startCarrier(place === 'stopped' ? { kind: 'rings' } : place)
  toClose.push(carrier.close)
  if (place === 'stopped') process.kill(carrier.pid(), 'SIGSTOP')
  return carrier
}

async function openDead(set: number): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  toClose.push(async () => void socket.close())
  return `${set} sip:127.0.0.1:${socket.address().port};transport=udp`
}

/** A call from a browser, with these carriers in their order. `before`: edges that are tried before the one that works. */
async function placeCall(
  places: readonly Place[],
  {
    ownFailures = [],
    before = [],
    speaks = true,
  }: {
    readonly ownFailures?: readonly number[]
    readonly before?: readonly Edge[]
    /** Whether the browser sends any sound. */
    readonly speaks?: boolean
  } = {},
) {
  const carriers = await Promise.all(places.map(openCarrier))
  const lines = await Promise.all(
    carriers.map((carrier, index) => carrier?.line(index + 1) ?? openDead(index + 1)),
  )
  const [edge, running] = await Promise.all([startEdge({ carriers: lines }), startMediaHost()])
  toClose.push(edge.close, running.close)
  const log = createLog('silent')
  const signalling = new Signalling({ control: edge.control, log, onReconnected: () => undefined })
  const records = new EdgeRecords(edge)
  toClose.push(
    () => signalling.close(),
    () => records.close(),
  )
  await signalling.open()
  const media = new MediaHost(running.url)
  const edges: readonly Edge[] = [...before, { signalling, media, records }]
  const routes = places.map((_, index) => ({
    carrier: carrierOf({ name: `carrier-${index + 1}`, set: index + 1, ownFailures }),
    costMicroUsd: 1000 * (index + 1),
  }))
  const asked: RoutedCall[] = []
  const attempts: CarrierAttempt[] = []
  const phone = new Phone()
  toClose.push(() => phone.close())
  const events: string[] = []
  const callId = randomUUID()
  const side = new TrunkSide(
    {
      log,
      routesTo: call => {
        asked.push(call)
        return routes
      },
      onAttempt: attempt => attempts.push(attempt),
      edgeFor: avoided => edges.find(one => !avoided.has(one)),
      attestationOf: () => undefined,
    },
    {
      ...{ callId, to: '+442079460000', from: '+12125550199' },
      ...{ limitMs: 60_000, rateMicroUsd: 20_000 },
      offer: await phone.checkedOffer(),
      clock: systemClock,
      timers: new LineTimers(systemClock),
      events: {
        rang: sdp => {
          events.push('rang')
          if (speaks) void phone.accept(sdp).then(() => phone.speak('silence'))
        },
        unusableOffer: () => events.push('unusable'),
        connected: () => events.push('connected'),
        answered: billedFromMs => {
          events.push('answered')
          if (billedFromMs !== undefined) side.answered(billedFromMs)
        },
        hungUp: end => events.push(end),
      },
    },
  )
  const ticker = new Ticker()
  const tick = (frame: number) => side.tick(frame)
  ticker.add(tick)
  toClose.push(async () => {
    ticker.remove(tick)
    await side.ended('caller_hung_up')
  })
  const beganAt = performance.now()
  side.begin()
  const until = async (event: string, timeoutMs = 8000) => {
    await vi.waitFor(() => expect(events).toContain(event), { timeout: timeoutMs, interval: 10 })
    return performance.now() - beganAt
  }
  const invitations = () => carriers.map(carrier => carrier?.invitations().length ?? 0)
  /** Of each carrier that was tried, in order. */
  const outcomes = () => attempts.map(({ outcome }) => outcome)
  const watched = { asked, attempts, outcomes, events, invitations, mediaHost: running }
  return { side, phone, media, callId, carriers, until, records, ...watched }
}

describe.skipIf(trunkIsMissing())('a call over a trunk', () => {
  test('rings, connects, is answered, and ends at the carrier with the caller', async () => {
    const { side, events, until, carriers, media, callId } = await placeCall([
      { kind: 'answers', ringMs: 4000 },
    ])
    await until('connected')
    await until('answered')
    expect(events).toEqual(['rang', 'connected', 'answered'])
    await side.ended('caller_hung_up')
    await vi.waitFor(() => expect(carriers[0]?.count('BYE')).toBe(1), { timeout: 5000 })
    expect(await media.counts(`${callId}.0`)).toBeUndefined()
  })

  test('moves from a dead carrier over one that fails to one that works, within two seconds each', async () => {
    const { side, until, invitations, asked, attempts, callId } = await placeCall([
      'dead',
      { kind: 'rejects', status: '503 Service Unavailable' },
      { kind: 'answers' },
    ])
    expect(await until('answered')).toBeLessThan(4000)
    expect(invitations()).toEqual([0, 1, 1])
    expect(asked).toMatchObject([{ to: '+442079460000', from: '+12125550199', rateMicroUsd: 20_000 }])
    expect(attempts.map(({ beganAt: _, ...attempt }) => attempt)).toEqual([
      { callId, attempt: 0, carrier: 'carrier-1', costMicroUsd: 1000, outcome: 'failed' },
      { callId, attempt: 1, carrier: 'carrier-2', costMicroUsd: 2000, outcome: 'failed' },
      { callId, attempt: 2, carrier: 'carrier-3', costMicroUsd: 3000, outcome: 'answered' },
    ])
    await side.ended('caller_hung_up')
    expect(attempts).toHaveLength(3)
  })

  test.each([
    ['486 Busy Here', 'busy'],
    ['603 Decline', 'declined'],
    ['404 Not Found', 'invalid_number'],
  ])('does not ask another carrier after %s', async (status, end) => {
    const { until, invitations, outcomes } = await placeCall([
      { kind: 'rejects', status },
      { kind: 'answers' },
    ])
    await until(end)
    expect(invitations()).toEqual([1, 0])
    expect(outcomes()).toEqual(['unanswered'])
  })

  test('asks another carrier after 480 where the carrier means itself', async () => {
    const status = '480 Temporarily Unavailable'
    const { until } = await placeCall([{ kind: 'rejects', status }, { kind: 'answers' }], {
      ownFailures: [480],
    })
    await until('answered')
  })

  test('rings nobody twice', async () => {
    const { until, invitations } = await placeCall([
      { kind: 'rejects', status: '503 Service Unavailable', ringMs: 200 },
      { kind: 'answers' },
    ])
    await until('failed')
    expect(invitations()).toEqual([1, 0])
  })

  test('cancels at a carrier that is only slow, before another one is asked', async () => {
    const { until, carriers, outcomes, records, callId, side } = await placeCall([
      'stopped',
      { kind: 'answers' },
    ])
    expect(await until('answered')).toBeLessThan(2500)
    const [slow] = carriers
    process.kill(slow?.pid() ?? 0, 'SIGCONT')
    // It has confirmed the end.
    await vi.waitFor(() => expect(slow?.count('ACK')).toBeGreaterThan(0), { timeout: 5000 })
    expect(slow?.count('CANCEL')).toBeGreaterThan(0)
    expect(outcomes()).toEqual(['failed', 'answered'])
    // The end of the first attempt is not that of the call.
    expect(await records.find(callId)).toMatchObject({ carrier: 2, endedAtMs: undefined })
    await side.ended('caller_hung_up')
    await vi.waitFor(async () =>
      expect(await records.find(callId)).toMatchObject({ carrier: 2, endedBy: 'caller' }),
    )
  })

  test('is tried at no other media host when one refuses its offer', async () => {
    const refusing = createServer((request, reply) => {
      request.resume().on('end', () => {
        const cookie = 'a cookie'
        reply.end(`${cookie.padEnd(36)} {"result":"error","error-reason":"Failed to parse SDP"}`)
      })
    })
    await new Promise<void>(resolve => refusing.listen(0, '127.0.0.1', resolve))
    toClose.push(async () => void refusing.close())
    const { port } = refusing.address() as AddressInfo
    const records = new EdgeRecords({ control: 'http://127.0.0.1:9', redis: 'redis://127.0.0.1:9' })
    toClose.push(() => records.close())
    const signalling = { place: () => ({ hangUp: () => undefined }) }
    const { until, invitations, media, callId } = await placeCall([{ kind: 'answers' }], {
      before: [{ signalling, media: new MediaHost(`http://127.0.0.1:${port}`), records }],
    })
    await until('service_failed')
    expect(invitations()).toEqual([0])
    expect(await media.counts(`${callId}.1`)).toBeUndefined()
  })

  test('answers the last of many offers that a browser sends at once', async () => {
    const { side, phone, until } = await placeCall([{ kind: 'answers' }])
    await until('answered')
    const offer = await phone.checkedOffer({ iceRestart: true })
    const answers = await Promise.all(Array.from({ length: 20 }, () => side.answer(offer)))
    expect(answers.at(-1)).toMatch(/^m=audio /m)
    expect(answers.filter(answer => answer !== undefined)).toHaveLength(1)
  })

  test('is answered when the carrier says so, although the media host keeps everything else waiting', async () => {
    const { events, until, mediaHost } = await placeCall([{ kind: 'answers', ringMs: 4000 }])
    await until('connected')
    // By now the media host plays the ringback: a call fails that cannot have it begun.
    await sleep(1000)
    process.kill(mediaHost.pid(), 'SIGSTOP')
    // Whatever asks the media host waits for two seconds.
    await until('answered')
    expect(events).toEqual(['rang', 'connected', 'answered'])
  })

  test('ends at the carrier within three seconds of its answer without any sound of the browser', async () => {
    const { until, carriers, side } = await placeCall([{ kind: 'answers' }], { speaks: false })
    const answeredMs = await until('answered')
    expect((await until('connection_lost')) - answeredMs).toBeLessThan(3000)
    expect(side.hasHeardCaller).toBe(false)
    await side.ended('connection_lost')
    await vi.waitFor(() => expect(carriers[0]?.count('BYE')).toBe(1), { timeout: 5000 })
  })

  test('does not take a media host that cannot be asked for a caller who is not heard', async () => {
    const { events, until, mediaHost } = await placeCall([{ kind: 'answers' }], { speaks: false })
    await until('answered')
    // By now it knows where the carrier sends its sound.
    await sleep(500)
    process.kill(mediaHost.pid(), 'SIGSTOP')
    await sleep(3500)
    expect(events).not.toContain('connection_lost')
    process.kill(mediaHost.pid(), 'SIGCONT')
    await until('connection_lost')
  })

  test('goes on where the browser is heard, before the answer or only after it', async () => {
    for (const ringMs of [50, 4000]) {
      const { until, events, side } = await placeCall([{ kind: 'answers', ringMs }])
      await until('answered')
      await vi.waitFor(() => expect(side.hasHeardCaller).toBe(true), { timeout: 3000 })
      await sleep(3200)
      expect(events).not.toContain('connection_lost')
    }
  })

  test('ends soon after the answer where the browser was heard before it alone', async () => {
    const { until, phone, side } = await placeCall([{ kind: 'answers', ringMs: 4000 }])
    await until('connected')
    await phone.close()
    const answeredMs = await until('answered')
    expect((await until('connection_lost')) - answeredMs).toBeLessThan(3000)
    expect(side.hasHeardCaller).toBe(false)
  })

  test('knows how long the edge has recorded it', async () => {
    const { until, side, events } = await placeCall([{ kind: 'answers', hangsUpAfterMs: 1500 }])
    await until('callee_hung_up')
    const recordedMs = await side.recordedMs()
    expect(recordedMs).toBeGreaterThan(1300)
    expect(recordedMs).toBeLessThan(2500)
    expect(events).not.toContain('failed')
  })

  test('knows of the edge that nobody answered it', async () => {
    const { until, side } = await placeCall([{ kind: 'rejects', status: '486 Busy Here' }])
    await until('busy')
    expect(await side.recordedMs()).toBeNull()
  })

  test('goes to the same carrier by another edge when one cannot place it', async () => {
    const place: Edge['signalling']['place'] = (_, on) => {
      queueMicrotask(() => on({ kind: 'rejected', code: 503, edge: 'no_record' }))
      return { hangUp: () => undefined }
    }
    const nowhere = new MediaHost('http://127.0.0.1:9')
    const records = new EdgeRecords({ control: 'http://127.0.0.1:9', redis: 'redis://127.0.0.1:9' })
    toClose.push(() => records.close())
    const running = await startMediaHost()
    toClose.push(running.close)
    const { until, attempts, invitations } = await placeCall([{ kind: 'answers' }], {
      before: [
        { signalling: { place }, media: nowhere, records },
        { signalling: { place }, media: new MediaHost(running.url), records },
      ],
    })
    await until('answered')
    expect(invitations()).toEqual([1])
    expect(attempts.map(({ carrier, outcome }) => `${carrier} ${outcome}`)).toEqual([
      'carrier-1 not_placed',
      'carrier-1 answered',
    ])
  })

  test('fails when no carrier is left', async () => {
    const { until } = await placeCall([{ kind: 'rejects', status: '500 Server Error' }])
    await until('failed')
  })

  test('ends when the callee hangs up', async () => {
    const { until } = await placeCall([{ kind: 'answers', hangsUpAfterMs: 300 }])
    await until('callee_hung_up')
  })

  test('lets the carrier be heard before the answer', async () => {
    const { until, media, callId, events } = await placeCall([{ kind: 'answers', early: true, ringMs: 3000 }])
    await until('connected')
    // SIPp echoes what it gets.
    await vi.waitFor(
      async () => expect((await media.counts(`${callId}.0`))?.fromCarrier).toBeGreaterThan(5),
      {
        timeout: 5000,
      },
    )
    expect(events).not.toContain('answered')
  })

  test('cancels a call that the caller leaves while it rings', async () => {
    const { side, until, carriers, outcomes } = await placeCall([{ kind: 'rings' }])
    await until('rang')
    await side.ended('cancelled')
    await vi.waitFor(() => expect(carriers[0]?.count('CANCEL')).toBe(1), { timeout: 5000 })
    expect(outcomes()).toEqual(['unanswered'])
  })

  test.each([
    ['cancelled', 'abandoned'],
    ['failed', 'failed'],
    ['service_failed', 'not_placed'],
  ] as const)('counts a carrier that says nothing until the call is %s as %s', async (end, outcome) => {
    const { side, carriers, outcomes } = await placeCall([{ kind: 'stays_silent' }])
    await vi.waitFor(() => expect(carriers[0]?.count('INVITE')).toBe(1), { timeout: 5000 })
    await side.ended(end)
    expect(outcomes()).toEqual([outcome])
  })

  test('goes on when a digit or a limit cannot be passed on', async () => {
    const { side, until, events, media, records } = await placeCall([{ kind: 'answers' }])
    await until('answered')
    const digit = vi.spyOn(media, 'sendDigit').mockRejectedValue(new Error('no such call'))
    const limit = vi.spyOn(records, 'setLimit').mockRejectedValue(new Error('no such dialog'))
    side.press('1')
    side.setLimit(30_000)
    await vi.waitFor(() => expect([digit.mock.calls.length, limit.mock.calls.length]).toEqual([1, 1]), {
      timeout: 5000,
    })
    await setImmediate()
    expect(events).not.toContain('service_failed')
  })

  test('moves the limit at the edge', async () => {
    const { side, until, records, callId } = await placeCall([{ kind: 'answers' }])
    await until('answered')
    side.setLimit(1000)
    await until('callee_hung_up')
    await vi.waitFor(async () => expect(await records.find(callId)).toMatchObject({ endedBy: 'edge' }), {
      timeout: 5000,
    })
  })
})
