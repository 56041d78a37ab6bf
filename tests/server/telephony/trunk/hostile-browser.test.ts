import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab, type TrunkLab } from '#support/trunk/lab.ts'
import { Phone, until, Wire } from '../exchange/phone.ts'
import { startTrunkWorld, type TrunkWorld } from './trunk-world.ts'

const number = '+12125550100'
const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** A host of somebody's, which must not get a packet. */
async function openBystander(): Promise<{ readonly port: number; readonly packets: () => number }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  toClose.push(async () => void socket.close())
  let packets = 0
  socket.on('message', () => {
    packets += 1
  })
  return { port: socket.address().port, packets: () => packets }
}

describe.skipIf(trunkIsMissing())('a hostile browser on a trunk', () => {
  let lab: TrunkLab
  let world: TrunkWorld
  beforeAll(async () => {
    lab = await startTrunkLab([{ name: 'answers', behaviour: { kind: 'answers' }, sells: { 1: 10_000 } }])
    world = await startTrunkWorld(lab.file)
  })
  afterAll(async () => {
    await world.close()
    await lab.close()
  })

  /** Invites with this SDP. @returns the first frame about the call, and its socket */
  async function invite(sdp: string) {
    const callId = randomUUID()
    world.control.decide = ({ to }) => ({
      ...{ kind: 'connect', callId, to, from: '+442079460000', limitMs: 60_000, rateMicroUsd: 20_000 },
    })
    const { token } = await world.trunk.issueVoiceToken('hostile')
    const wire = await (await new Wire(world.host).open()).listen(token)
    toClose.push(async () => wire.drop())
    wire.send('invite', {
      callsid: 'TJS1',
      sdp,
      twilio: { params: new URLSearchParams({ To: number }).toString() },
    })
    const closed = wire.closed.then(() => ({ type: 'closed', payload: {} }))
    const first = until(
      () => wire.frames.find(({ type }) => ['ringing', 'answer', 'hangup'].includes(type)),
      'a frame about the call',
    )
    return { wire, first: await Promise.race([first, closed]) }
  }

  async function offerOf(): Promise<{ readonly phone: Phone; readonly sdp: string }> {
    const phone = new Phone()
    toClose.push(() => phone.close())
    return { phone, sdp: await phone.offer() }
  }

  test('that offers plain sound from somewhere else is refused, and nothing is sent there', async () => {
    const bystander = await openBystander()
    const plain = [
      'v=0',
      'o=- 1 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      `m=audio ${bystander.port} RTP/AVP 0`,
      'a=rtpmap:0 PCMU/8000',
      '',
    ].join('\r\n')
    expect((await invite(plain)).first.type).toBe('hangup')
    await sleep(1000)
    expect(bystander.packets()).toBe(0)
  })

  test('that names the address of somebody else is called, and nothing is sent there', async () => {
    const bystander = await openBystander()
    const { phone, sdp } = await offerOf()
    const candidate = `a=candidate:1 1 udp 2122260223 127.0.0.1 ${bystander.port} typ host\r\n`
    const { wire, first } = await invite(
      sdp
        .replace(/^a=candidate:.*\r\n/gm, '')
        .replace(/^m=audio \d+ (.*)$/m, `m=audio ${bystander.port} $1`)
        .replace(/^c=.*$/m, 'c=IN IP4 127.0.0.1')
        .replace(/^a=ice-ufrag/m, `${candidate}a=ice-ufrag`),
    )
    expect(first.type).toBe('ringing')
    await phone.accept(String((first.payload as { sdp: string }).sdp))
    phone.speak('silence')
    await wire.frame('answer')
    await sleep(1000)
    expect(bystander.packets()).toBe(0)
    wire.send('hangup', { callsid: (first.payload as { callsid: string }).callsid })
  })
})
