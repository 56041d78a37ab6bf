import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { gentleToneLoop } from '#server/telephony/exchange/media/tones.ts'
import { type Baresip, baresipIsMissing, startBaresip } from '#support/trunk/baresip.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab, type TrunkLab } from '#support/trunk/lab.ts'
import { shareAt } from '../exchange/goertzel.ts'
import { call, Wire } from '../exchange/phone.ts'
import { startTrunkWorld, type TrunkWorld } from './trunk-world.ts'

const number = '+12125550100'
const carrierHz = 1004
const callerHz = 700
const soon = { timeout: 10_000, interval: 20 }
const second = 8000

const missing = [trunkIsMissing(), baresipIsMissing()]

describe.skipIf(missing.includes(true))('a call to baresip as a carrier', () => {
  let baresip: Baresip
  let lab: TrunkLab
  let world: TrunkWorld
  beforeEach(async () => {
    baresip = await startBaresip(number, gentleToneLoop, 100)
    const behaviour = { kind: 'elsewhere', address: baresip.address } as const
    lab = await startTrunkLab([{ name: 'baresip', behaviour, sells: { 1: 4000 } }])
    world = await startTrunkWorld(lab.file)
  })
  afterEach(async () => {
    await world.close()
    await lab.close()
    await baresip.close()
  })

  /** An answered call from a browser that speaks a tone. */
  async function placeCall() {
    const { decide } = world.control
    // The edge takes no other ids.
    world.control.decide = attempt => decide(attempt, randomUUID())
    const { token } = await world.trunk.issueVoiceToken('user-1')
    const wire = await (await new Wire(world.host).open()).listen(token)
    const { phone, callId } = await call(wire, number)
    // Of the transport: werift finds no track for a stream that the SDP does not name, as a browser does.
    const heard: Buffer[] = []
    for (const transport of phone.connection.dtlsTransports)
      transport.onRtp.subscribe(({ payload }) => heard.push(payload))
    phone.speak({ hz: callerHz, dbm0: -16 })
    /** How much of the last second that the caller heard is the carrier's tone. */
    const share = () => shareAt(carrierHz, Buffer.concat(heard.slice(-50)))
    return { wire, phone, callId, heard, share }
  }

  const ended = () =>
    vi.waitFor(() => {
      const found = world.control.events.find(({ kind }) => kind === 'ended')
      expect(found).toBeDefined()
      return found
    }, soon)
  const callerIsHeard = () =>
    vi.waitFor(() => {
      const last = baresip.heard().subarray(-second)
      expect(last).toHaveLength(second)
      expect(shareAt(callerHz, last)).toBeGreaterThan(0.95)
    }, soon)

  test('is answered, heard both ways, and takes keys, until the caller hangs up', async () => {
    const { wire, phone, callId, share } = await placeCall()
    await vi.waitFor(() => expect(share()).toBeGreaterThan(0.95), soon)
    await callerIsHeard()
    wire.send('dtmf', { callsid: callId, dtmf: '1590*#' })
    await vi.waitFor(() => expect(baresip.digits()).toBe('1590*#'), soon)
    wire.send('hangup', { callsid: callId })
    expect(await ended()).toMatchObject({ end: 'caller_hung_up' })
    await vi.waitFor(() => expect(baresip.requests()).toEqual(['INVITE', 'ACK', 'BYE']), soon)
    await phone.close()
  })

  test('is put on hold, goes on, and ends when the callee hangs up', async () => {
    const { wire, phone, callId, heard, share } = await placeCall()
    await callerIsHeard()
    baresip.command('hold')
    await vi.waitFor(() => expect(baresip.replies()).toEqual(['200 INVITE']), soon)
    baresip.command('resume')
    // A change that overtakes the confirmation of the last one is put off (RFC 3261, 14.2), and baresip asks again.
    const taken = () => baresip.replies().filter(reply => reply !== '500 INVITE')
    await vi.waitFor(() => expect(taken()).toEqual(['200 INVITE', '200 INVITE']), soon)
    heard.length = 0
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(60), soon)
    expect(share()).toBeGreaterThan(0.95)
    wire.send('dtmf', { callsid: callId, dtmf: '7' })
    await vi.waitFor(() => expect(baresip.digits()).toBe('7'), soon)
    baresip.command('hangup')
    expect(await ended()).toMatchObject({ end: 'callee_hung_up' })
    await vi.waitFor(() => expect(baresip.replies().at(-1)).toBe('200 BYE'), soon)
    await phone.close()
  })
})
