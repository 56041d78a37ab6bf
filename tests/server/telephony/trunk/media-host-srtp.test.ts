import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { RtpPacket, SrtpSession } from 'werift'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { closeAfterwards } from '#support/trunk/world.ts'
import { answerSdp, echoSource, openMediaCall, plainMedia } from './media-call.ts'

/** AES_CM_128_HMAC_SHA1_80, as DTLS numbers it; a key of 16 octets and a salt of 14 follow each other. */
const profile = 1
const keyOf = (octets: Buffer) => ({ key: octets.subarray(0, 16), salt: octets.subarray(16, 30) })

/** A carrier that sends back what it can decrypt. */
async function openSecureEcho(offer: string) {
  const [, sequence = '', offered = ''] =
    /^a=crypto:(\d+) AES_CM_128_HMAC_SHA1_80 inline:([\w+/=]+)/m.exec(offer) ?? []
  const own = randomBytes(30)
  const [remote, local] = [keyOf(Buffer.from(offered, 'base64')), keyOf(own)]
  const session = new SrtpSession({
    keys: {
      ...{ localMasterKey: local.key, localMasterSalt: local.salt },
      ...{ remoteMasterKey: remote.key, remoteMasterSalt: remote.salt },
    },
    profile,
  })
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterwards(async () => void socket.close())
  const payloads: Buffer[] = []
  socket.on('message', (packet, from) => {
    const { header, payload } = RtpPacket.deSerialize(session.decrypt(packet))
    payloads.push(payload)
    header.ssrc = echoSource
    socket.send(session.encrypt(payload, header), from.port, from.address)
  })
  const line = `a=crypto:${sequence} AES_CM_128_HMAC_SHA1_80 inline:${own.toString('base64')}`
  return { port: socket.address().port, line, payloads }
}

describe.skipIf(trunkIsMissing())('a media host and a carrier with SRTP', () => {
  test('offers keys of few kinds, none of which leaves the sound open', async () => {
    const { offer } = await openMediaCall({ ...plainMedia, srtp: true })
    expect(offer).toMatch(/^m=audio \d+ RTP\/SAVP 0 8 \d+\r$/m)
    expect(offer).not.toMatch(/^a=(ice|fingerprint|candidate|setup)/m)
    expect([...offer.matchAll(/^a=crypto:\d+ (\w+) inline:\S+\r$/gm)].map(([, suite]) => suite)).toEqual([
      'AEAD_AES_256_GCM',
      'AES_256_CM_HMAC_SHA1_80',
      'AES_CM_128_HMAC_SHA1_80',
    ])
  })

  test('passes sound both ways', async () => {
    const { host, phone, heard, id, offer, events } = await openMediaCall({ ...plainMedia, srtp: true })
    const carrier = await openSecureEcho(offer)
    const answer = answerSdp({ port: carrier.port, events, profile: 'RTP/SAVP', lines: [carrier.line] })
    await phone.accept(await host.answer(id, answer))
    phone.speak({ hz: 1004, dbm0: -10 })
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(50), { timeout: 5000 })
    expect(carrier.payloads.at(-1)).toHaveLength(160)
    // An echo, which would not be there if either side's keys were wrong.
    expect(heard.some(payload => carrier.payloads.some(sent => sent.equals(payload)))).toBe(true)
    expect((await host.counts(id))?.fromCarrier).toBeGreaterThan(25)
  })

  test('goes on when the carrier answers anew with other keys', async () => {
    const { host, phone, heard, id, offer, events } = await openMediaCall({ ...plainMedia, srtp: true })
    const secure = (carrier: { port: number; line: string }) =>
      answerSdp({ port: carrier.port, events, profile: 'RTP/SAVP', lines: [carrier.line] })
    await phone.accept(await host.answer(id, secure(await openSecureEcho(offer))))
    phone.speak({ hz: 1004, dbm0: -10 })
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(25), { timeout: 5000 })
    const carrier = await openSecureEcho(offer)
    await host.answer(id, secure(carrier))
    await vi.waitFor(() => expect(carrier.payloads.length).toBeGreaterThan(25), { timeout: 5000 })
  })
})
