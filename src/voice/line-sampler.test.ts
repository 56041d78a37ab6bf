import type { Call as VendorCall } from '@twilio/voice-sdk'
import { describe, expect, test } from 'vitest'
import { createLineSampler } from './line-sampler.ts'
import type { LineSample } from './quality.ts'
import { createSentLoss } from './sent-loss.ts'
import { createSoundMeter } from './sound-meter.ts'

/** A connection that adds up so much energy a second of what arrives, and nothing of what is spoken. */
function connection(energyPerSecond: number): RTCPeerConnection {
  let seconds = 0
  const getStats = async () => {
    seconds += 1
    const heard = { totalAudioEnergy: seconds * energyPerSecond, totalSamplesDuration: seconds }
    const spoken = { totalAudioEnergy: 0, totalSamplesDuration: seconds }
    return new Map([
      ['in', { type: 'inbound-rtp', kind: 'audio', ...heard }],
      ['out', { type: 'media-source', kind: 'audio', ...spoken }],
      ['theirs', { type: 'remote-inbound-rtp', kind: 'audio', timestamp: seconds, fractionLost: 0.25 }],
    ])
  }
  return { getStats } as unknown as RTCPeerConnection
}

test('the first sample has nothing to compare with; the next ones measure', async () => {
  const meter = createSoundMeter(connection(0.25))
  expect(await meter.measure()).toMatchObject({ spoken: null, heard: null })
  expect(await meter.measure()).toMatchObject({ spoken: 0, heard: 0.5 })
  expect(await createSoundMeter(null).measure()).toMatchObject({ spoken: null, heard: null })
})

test('each second is handed on with what got lost on the way out', async () => {
  const samples: LineSample[] = []
  const _mediaHandler = { version: { pc: connection(0.25) } }
  const call = { on: () => call, _mediaHandler } as unknown as VendorCall
  createLineSampler(call, sample => samples.push(sample))({ packetsReceived: 50, mos: 4 })
  await expect.poll(() => samples).toHaveLength(1)
  expect(samples[0]).toMatchObject({ sentLossPercent: 25, lossPercent: 0 })
})

test('without a connection a second is handed on with its packets, and levels that nobody knows', async () => {
  const samples: LineSample[] = []
  const call = { on: () => call } as unknown as VendorCall
  createLineSampler(call, sample => samples.push(sample))({ packetsReceived: 50, mos: 4 })
  await expect.poll(() => samples).toHaveLength(1)
  expect(samples[0]).toMatchObject({
    packetsReceived: 50,
    heardLevel: null,
    spokenLevel: null,
    sentLossPercent: null,
  })
})

describe('the loss that the other end reports', () => {
  const report = (timestamp: number, fractionLost?: number, kind = 'audio') =>
    new Map([['theirs', { type: 'remote-inbound-rtp', kind, timestamp, fractionLost }]])

  test('is unknown before the first report, where a browser does not tell it, and of anything but sound', () => {
    const read = createSentLoss()
    expect(read(new Map())).toBeNull()
    expect(read(report(1))).toBeNull()
    expect(read(report(2, 0.5, 'video'))).toBeNull()
    expect(read(report(3, 0.5))).toBe(50)
  })

  test('counts until the next report, and for no longer than ten seconds', () => {
    const read = createSentLoss()
    const looks = (at: number) => Array.from({ length: 12 }, () => read(report(at, 0.5)))
    expect(looks(1)).toEqual([...Array(10).fill(50), null, null])
    expect(looks(2)[0]).toBe(50)
  })
})
