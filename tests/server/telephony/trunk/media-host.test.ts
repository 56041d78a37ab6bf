import { describe, expect, test, vi } from 'vitest'
import { LevelMeter } from '#server/telephony/exchange/media/level-meter.ts'
import { MediaHostError } from '#server/telephony/trunk/media-host.ts'
import { ringbackWav } from '#server/telephony/trunk/ringback.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { answerSdp, openEcho, openMediaCall } from './media-call.ts'

/** Of the last half second, in dBm0. */
function levelOf(packets: readonly Buffer[]): number {
  const meter = new LevelMeter()
  for (const packet of packets.slice(-25)) meter.add(packet)
  return meter.level().dbm0
}

describe.skipIf(trunkIsMissing())('a media host', () => {
  test('offers a carrier what a telephone would', async () => {
    const { offer } = await openMediaCall()
    expect(offer).toMatch(/^m=audio \d+ RTP\/AVP 0 8 \d+\r$/m)
    expect(offer).not.toMatch(/ice|fingerprint|candidate|extmap|setup|ssrc|msid|opus/)
  })

  test('passes sound both ways', async () => {
    const { host, phone, heard, id, events } = await openMediaCall()
    const carrier = await openEcho()
    await phone.accept(await host.answer(id, answerSdp({ port: carrier.port, events })))
    phone.speak({ hz: 1004, dbm0: -10 })
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(60), { timeout: 5000 })
    expect(levelOf(heard)).toBeCloseTo(-10, 0)
    const counts = await host.counts(id)
    expect(counts?.fromBrowser).toBeGreaterThan(50)
    expect(counts?.fromCarrier).toBeGreaterThan(50)
  })

  test('sounds the ringing before the carrier sends anything, and then lets the carrier in', async () => {
    const { host, phone, heard, id, events } = await openMediaCall()
    const carrier = await openEcho()
    // Port 9 is the one of nobody: the browser connects before the carrier says where its sound comes from.
    const first = await host.answer(id, answerSdp({ port: 9, events }))
    await phone.accept(first)
    phone.speak('silence')
    await host.playToBrowser(id, ringbackWav)
    // Two of six seconds sound.
    await vi.waitFor(() => expect(levelOf(heard)).toBeGreaterThan(-20), { timeout: 10_000, interval: 20 })

    await host.stopPlaying(id)
    const second = await host.answer(id, answerSdp({ port: carrier.port, events }))
    expect(second).toBe(first)
    phone.speak({ hz: 1004, dbm0: -10 })
    await vi.waitFor(() => expect(carrier.packets.length).toBeGreaterThan(25), { timeout: 5000 })
  })

  test('sends digits as events of 100 ms', async () => {
    const { host, phone, id, events } = await openMediaCall()
    const carrier = await openEcho()
    await phone.accept(await host.answer(id, answerSdp({ port: carrier.port, events })))
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
    const { host, phone, id, events } = await openMediaCall()
    await phone.accept(await host.answer(id, answerSdp({ port: 9, events })))
    await host.close(id)
    await host.close(id)
    await vi.waitFor(async () => expect(await host.counts(id)).toBeUndefined(), { timeout: 5000 })
  })

  test('keeps a call through a crash, and sound passes again', async () => {
    const { running, host, phone, heard, id, events } = await openMediaCall()
    const carrier = await openEcho()
    await phone.accept(await host.answer(id, answerSdp({ port: 9, events })))
    phone.speak({ hz: 1004, dbm0: -10 })
    await vi.waitFor(async () => expect((await host.counts(id))?.fromBrowser).toBeGreaterThan(0), {
      timeout: 5000,
    })
    // rtpengine writes a call down when it is told something: with the browser's keys, if those are there by then.
    await host.answer(id, answerSdp({ port: carrier.port, events }))
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(25), { timeout: 5000 })
    await running.kill()
    await running.start()
    const [before, sent] = [heard.length, carrier.packets.length]
    await vi.waitFor(
      () => expect(Math.min(heard.length - before, carrier.packets.length - sent)).toBeGreaterThan(25),
      { timeout: 5000 },
    )
    expect(levelOf(heard)).toBeCloseTo(-10, 0)
    const { fromBrowser = 0, fromCarrier = 0 } = (await host.counts(id)) ?? {}
    expect(Math.min(fromBrowser, fromCarrier)).toBeGreaterThan(0)
    await host.close(id)
    expect(await host.counts(id)).toBeUndefined()
  })

  test('says when it cannot be reached', async () => {
    const { host, id, running } = await openMediaCall()
    await running.kill()
    expect(await host.isReachable()).toBe(false)
    await expect(host.sendDigit(id, '1')).rejects.toThrow(MediaHostError)
  })
})
