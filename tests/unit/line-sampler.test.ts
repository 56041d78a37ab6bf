import type { Call as VendorCall } from '@twilio/voice-sdk'
import { expect, test } from 'vitest'
import type { LineSample } from '#lib/rules/quality.ts'
import { createLineSampler } from '#voice/line-sampler.ts'
import { createSoundMeter } from '#voice/sound-meter.ts'

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
    ])
  }
  return { getStats } as unknown as RTCPeerConnection
}

test('the first look has nothing to compare with; the next ones measure', async () => {
  const meter = createSoundMeter(connection(0.25))
  expect(await meter.measure()).toEqual({ spoken: null, heard: null })
  expect(await meter.measure()).toEqual({ spoken: 0, heard: 0.5 })
  expect(await createSoundMeter(null).measure()).toEqual({ spoken: null, heard: null })
})

test('without a connection a second is handed on with its packets, and levels that nobody knows', async () => {
  const samples: LineSample[] = []
  const call = { on: () => call } as unknown as VendorCall
  createLineSampler(call, sample => samples.push(sample))({ packetsReceived: 50, mos: 4 })
  await expect.poll(() => samples).toHaveLength(1)
  expect(samples[0]).toMatchObject({ packetsReceived: 50, heardLevel: null, spokenLevel: null })
})
