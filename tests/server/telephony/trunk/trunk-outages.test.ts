import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab, type TrunkLab } from '#support/trunk/lab.ts'
import { Phone, Wire } from '../exchange/phone.ts'
import { startTrunkWorld, type TrunkWorld } from './trunk-world.ts'

const userId = '5f0c3a52-6a1e-4d0c-9a55-d3a5f0b6a001'
const answering = '+12125550100'
const ringing = '+442071838750'
const soon = { timeout: 10_000, interval: 20 }

describe.skipIf(trunkIsMissing())('an outage of a trunk', () => {
  let lab: TrunkLab
  let world: TrunkWorld
  const toClose: (() => Promise<void>)[] = []
  beforeEach(async () => {
    lab = await startTrunkLab([
      { name: 'answers', behaviour: { kind: 'answers' }, sells: { 1: 4000 } },
      { name: 'leaves', behaviour: { kind: 'answers', hangsUpAfterMs: 6000 }, sells: { 33: 4000 } },
      { name: 'rings', behaviour: { kind: 'rings' }, sells: { 44: 4000 } },
      { name: 'silent', behaviour: { kind: 'silent' }, sells: { 46: 4000 } },
      { name: 'other', behaviour: { kind: 'answers' }, sells: { 46: 5000 } },
      { name: 'second', behaviour: { kind: 'answers' }, sells: { 44: 5000 } },
      { name: 'fails', behaviour: { kind: 'rejects', status: '500 Server Error' }, sells: { 49: 4000 } },
    ])
    world = await startTrunkWorld(lab.file)
  })
  afterEach(async () => {
    for (const close of toClose.splice(0)) await close()
    await world.close()
    await lab.close()
  })

  const eventOf = (kind: string, timeout = soon.timeout) =>
    vi.waitFor(
      () => {
        const found = world.control.events.find(event => event.kind === kind)
        if (found === undefined) throw new Error(`no ${kind} yet`)
        return found
      },
      { ...soon, timeout },
    )

  /** A call from a browser that is heard. @returns its id and what hangs it up */
  async function call(to: string, until: 'answered' | 'ringing') {
    const { wire, phone, callId } = await invite(to)
    await phone.accept((await wire.frame('ringing')).sdp)
    phone.speak('silence')
    await eventOf(until)
    return { callId, hangUp: () => wire.send('hangup', { callsid: callId }) }
  }

  async function invite(to: string) {
    const { token } = await world.trunk.issueVoiceToken(userId)
    const wire = await (await new Wire(world.host).open()).listen(token)
    const phone = new Phone()
    toClose.push(() => phone.close())
    const callId = '0a4c7a0e-38ff-4a7c-8f0b-0c2f7a6de001'
    world.control.decide = () => ({
      ...{ kind: 'connect', callId, to, from: '+442079460000', limitMs: 60_000, rateMicroUsd: 20_000 },
    })
    wire.send('invite', { callsid: 'TJS1', sdp: await phone.offer(), twilio: { params: `To=${to}` } })
    return { wire, phone, callId }
  }

  test('a call whose process is gone is ended, and the edge says how long it was', async () => {
    const { callId } = await call(answering, 'answered')
    const next = await startTrunkWorld(lab.file)
    toClose.push(next.close)
    await new Promise(resolve => setTimeout(resolve, 1000))
    const first = await next.trunk.inspect(callId)
    expect(first).toEqual({ kind: 'live', answeredMs: expect.any(Number) })
    // As often as reconciliation asks, or so: each time it asks the edge to end the call.
    await vi.waitFor(async () => expect((await next.trunk.inspect(callId)).kind).toBe('ended'), {
      timeout: 10_000,
      interval: 500,
    })
    const ended = await next.trunk.inspect(callId)
    expect(ended).toEqual({ kind: 'ended', answeredMs: expect.any(Number), end: 'server_stopping' })
    expect('answeredMs' in ended && ended.answeredMs).toBeGreaterThan(900)
    expect('answeredMs' in ended && ended.answeredMs).toBeLessThan(6000)
    await vi.waitFor(() => expect(lab.carrier('answers').count('BYE')).toBe(1), soon)
  })

  test('a call goes on through a crash of the edge, and can be hung up afterwards', async () => {
    const { callId, hangUp } = await call(answering, 'answered')
    await lab.edge.kill()
    await lab.edge.start()
    await new Promise(resolve => setTimeout(resolve, 3000))
    expect(await world.trunk.inspect(callId)).toMatchObject({ kind: 'live' })
    hangUp()
    await eventOf('ended')
    await vi.waitFor(() => expect(lab.carrier('answers').count('BYE')).toBeGreaterThan(0), soon)
  })

  test('a callee who hangs up after a crash of the edge ends the call, though no event of it arrives', async () => {
    await call('+33123456789', 'answered')
    await lab.edge.kill()
    await lab.edge.start()
    expect(await eventOf('ended', 25_000)).toMatchObject({ end: 'callee_hung_up' })
    const ended = world.control.events.find(event => event.kind === 'ended')
    // What the record says, not when it was read.
    expect(ended?.answeredMs).toBeLessThan(9000)
  })

  test('a call that is hung up while the edge is away ends at the carrier once it is back', async () => {
    const { hangUp } = await call(answering, 'answered')
    await lab.edge.kill()
    hangUp()
    expect(await eventOf('ended')).toMatchObject({ end: 'caller_hung_up' })
    await lab.edge.start()
    await vi.waitFor(() => expect(lab.carrier('answers').count('BYE')).toBeGreaterThan(0), {
      ...soon,
      timeout: 20_000,
    })
  })

  test.each([
    ['Kamailio', () => lab.edge.kill()],
    ['Redis', () => lab.edge.stopRedis()],
    ['rtpengine', () => lab.mediaHost.kill()],
  ])('a call without the %s of its edge fails, and we say that it is our fault', async (_, takeDown) => {
    await takeDown()
    const { wire } = await invite(answering)
    expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31904 } })
    expect(await eventOf('ended')).toMatchObject({ answeredMs: null, end: 'service_failed' })
    expect(lab.carrier('answers').invitations()).toHaveLength(0)
  })

  test('a call that no carrier takes fails, and it is nobody’s network', async () => {
    const { wire } = await invite('+4930123456')
    expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31905 } })
    expect(await eventOf('ended')).toMatchObject({ answeredMs: null, end: 'failed' })
  })

  test('a call that rang when the edge crashed fails, and no other carrier rings it again', async () => {
    await call(ringing, 'ringing')
    await lab.edge.kill()
    await lab.edge.start()
    expect(await eventOf('ended')).toMatchObject({ answeredMs: null, end: 'service_failed' })
    expect(lab.carrier('second').invitations()).toHaveLength(0)
  })

  test('so does one that a carrier had when the edge crashed: nobody knows whether it rings', async () => {
    await invite('+46846500400')
    await vi.waitFor(() => expect(lab.carrier('silent').invitations()).toHaveLength(1), soon)
    await lab.edge.kill()
    await lab.edge.start()
    expect(await eventOf('ended')).toMatchObject({ answeredMs: null, end: 'service_failed' })
    expect(lab.carrier('other').invitations()).toHaveLength(0)
  })
})
