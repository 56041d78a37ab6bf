import { randomUUID } from 'node:crypto'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { LevelMeter } from '#server/telephony/exchange/media/level-meter.ts'
import { MediaHost, MediaHostError } from '#server/telephony/trunk/media-host.ts'
import { ringbackWav } from '#server/telephony/trunk/ringback.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startMediaHost } from '#support/trunk/media-host.ts'
import { Phone } from '../exchange/phone.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** The carrier's end: a socket that echoes mu-law. */
async function openCarrier() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  toClose.push(async () => void socket.close())
  const packets: Buffer[] = []
  socket.on('message', (packet: Buffer, from: RemoteInfo) => {
    packets.push(packet)
    socket.send(packet, from.port, from.address)
  })
  const payloadTypes = () => packets.map(packet => (packet[1] ?? 0) & 0x7f)
  const { port } = socket.address()
  return { packets, payloadTypes, port }
}

/** A carrier's answer: `events` is the payload type of RFC 4733 in the offer. */
const answerSdp = (port: number, events: number) =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0 ${events}`,
    'a=rtpmap:0 PCMU/8000',
    `a=rtpmap:${events} telephone-event/8000`,
    'a=sendrecv',
    '',
  ].join('\r\n')

/** Of the last half second, in dBm0. */
function levelOf(packets: readonly Buffer[]): number {
  const meter = new LevelMeter()
  for (const packet of packets.slice(-25)) meter.add(packet)
  return meter.level().dbm0
}

const media = { codecs: ['PCMU', 'PCMA'], srtp: false } as const

async function openCall() {
  const running = await startMediaHost()
  toClose.push(running.close)
  const host = new MediaHost(running.url)
  const phone = new Phone()
  toClose.push(() => phone.close())
  const heard: Buffer[] = []
  const id = randomUUID()
  const offer = await host.offer(id, await phone.offer(), media)
  // Of the transport: werift finds no track for a stream that the SDP does not name, as a browser does.
  for (const transport of phone.connection.dtlsTransports)
    transport.onRtp.subscribe(packet => heard.push(packet.payload))
  const events = Number(/a=rtpmap:(\d+) telephone-event/.exec(offer)?.[1])
  return { host, phone, heard, id, offer, events }
}

describe.skipIf(trunkIsMissing())('a media host', () => {
  test('offers a carrier what a telephone would', async () => {
    const { offer } = await openCall()
    expect(offer).toMatch(/^m=audio \d+ RTP\/AVP 0 8 \d+\r$/m)
    expect(offer).not.toMatch(/ice|fingerprint|candidate|extmap|setup|ssrc|msid|opus/)
  })

  test('passes sound both ways', async () => {
    const { host, phone, heard, id, events } = await openCall()
    const carrier = await openCarrier()
    await phone.accept(await host.answer(id, answerSdp(carrier.port, events)))
    phone.speak({ hz: 1004, dbm0: -10 })
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(60), { timeout: 5000 })
    expect(levelOf(heard)).toBeCloseTo(-10, 0)
    const counts = await host.counts(id)
    expect(counts?.fromBrowser).toBeGreaterThan(50)
    expect(counts?.fromCarrier).toBeGreaterThan(50)
  })

  test('sounds the ringing before the carrier sends anything, and then lets the carrier in', async () => {
    const { host, phone, heard, id, events } = await openCall()
    const carrier = await openCarrier()
    // Port 9 is the one of nobody: the browser connects before the carrier says where its sound comes from.
    const first = await host.answer(id, answerSdp(9, events))
    await phone.accept(first)
    phone.speak('silence')
    await host.playToBrowser(id, ringbackWav)
    // Two of six seconds sound.
    await vi.waitFor(() => expect(levelOf(heard)).toBeGreaterThan(-20), { timeout: 10_000, interval: 20 })

    await host.stopPlaying(id)
    const second = await host.answer(id, answerSdp(carrier.port, events))
    expect(second).toBe(first)
    phone.speak({ hz: 1004, dbm0: -10 })
    await vi.waitFor(() => expect(carrier.packets.length).toBeGreaterThan(25), { timeout: 5000 })
  })

  test('sends digits as events of 100 ms', async () => {
    const { host, phone, id, events } = await openCall()
    const carrier = await openCarrier()
    await phone.accept(await host.answer(id, answerSdp(carrier.port, events)))
    phone.speak('silence')
    await vi.waitFor(() => expect(carrier.packets.length).toBeGreaterThan(10), { timeout: 5000 })
    for (const digit of '15#') await host.sendDigit(id, digit)
    const ends = () =>
      carrier.packets
        .filter((_, index) => carrier.payloadTypes()[index] === events)
        .map(packet => packet.subarray(12))
        .filter(event => ((event[1] ?? 0) & 0x80) !== 0)
    await vi.waitFor(() => expect(new Set(ends().map(event => event[0]))).toEqual(new Set([1, 5, 11])), {
      timeout: 5000,
    })
    // Of 8000 Hz; a packet holds 20 ms.
    for (const event of ends()) expect(Math.abs(event.readUInt16BE(2) - 800)).toBeLessThanOrEqual(160)
  })

  test('frees the ports of a call, and knows it no more', async () => {
    const { host, phone, id, events } = await openCall()
    await phone.accept(await host.answer(id, answerSdp(9, events)))
    await host.close(id)
    await host.close(id)
    await vi.waitFor(async () => expect(await host.counts(id)).toBeUndefined())
  })

  test('says when it cannot be reached', async () => {
    const { host, id } = await openCall()
    await toClose.shift()?.()
    expect(await host.isReachable()).toBe(false)
    await expect(host.sendDigit(id, '1')).rejects.toThrow(MediaHostError)
  })
})
