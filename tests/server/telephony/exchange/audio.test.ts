import { expect, test } from 'vitest'
import { echo, once, repeat } from '#server/telephony/exchange/media/audio-source.ts'
import { clip, clipNames, digits, spokenLanguages } from '#server/telephony/exchange/media/clips.ts'
import { LevelMeter, StreamMeter, silenceDbm0 } from '#server/telephony/exchange/media/level-meter.ts'
import {
  decodeMulaw,
  digitalMilliwatt,
  encodeMulaw,
  frameOctets,
  silentFrame,
} from '#server/telephony/exchange/media/mulaw.ts'
import { Player } from '#server/telephony/exchange/media/player.ts'
import { digitTone, milliwattLoop, ringbackLoop, toneLoop } from '#server/telephony/exchange/media/tones.ts'
import { shareAt } from './goertzel.ts'

test.each([
  [0, 0xff],
  [100, 0xf2],
  [-100, 0x72],
  [1000, 0xce],
  [-1000, 0x4e],
  [8000, 0xa0],
  [8191, 0x9f],
  [-8000, 0x20],
  [32_124, 0x80],
  [-32_124, 0x00],
  [32_767, 0x80],
  [-32_768, 0x00],
])('encodes the linear sample %i as mu-law %i, as the reference code does', (sample, octet) => {
  expect(encodeMulaw(sample)).toBe(octet)
})

test.each([
  [0x00, -32_124],
  [0x80, 32_124],
  [0xff, 0],
  [0x1e, -8828],
  [0x0b, -20_860],
  [0xce, 988],
  [0xf0, 120],
  [0x55, -716],
  [0xaa, 5372],
])('decodes mu-law %i as %i, as the reference code does', (octet, sample) => {
  expect(decodeMulaw(octet)).toBe(sample)
})

test('every octet but negative zero survives decoding and encoding', () => {
  for (let octet = 0; octet < 256; octet++) {
    expect(encodeMulaw(decodeMulaw(octet))).toBe(octet === 0x7f ? 0xff : octet)
  }
})

function levelOf(samples: Uint8Array): number {
  const meter = new LevelMeter()
  meter.add(samples)
  return meter.level().dbm0
}

test('the digital milliwatt reads 0 dBm0, and half of its amplitude 6 dB less', () => {
  expect(levelOf(Uint8Array.from(digitalMilliwatt))).toBeCloseTo(0, 6)
  expect(levelOf(toneLoop({ frequenciesHz: [1000], dbm0: -6.02 }))).toBeCloseTo(-6.02, 1)
})

test('silence reads as the floor', () => {
  expect(levelOf(silentFrame)).toBe(silenceDbm0)
})

test('the meter forgets what is older than 500 ms', () => {
  const meter = new LevelMeter()
  for (let frame = 0; frame < 25; frame++) meter.add(milliwattLoop.subarray(0, frameOctets))
  expect(meter.level().dbm0).toBeCloseTo(0, 0)
  for (let frame = 0; frame < 25; frame++) meter.add(silentFrame)
  expect(meter.level().dbm0).toBe(silenceDbm0)
  expect(meter.packets).toBe(50)
})

test('the test tone is 1004 Hz at 0 dBm0 and repeats without a seam', () => {
  const tone = repeat(milliwattLoop)
  const second = Buffer.concat(Array.from({ length: 50 }, () => tone.next() ?? silentFrame))
  expect(second).toHaveLength(8000)
  expect(shareAt(1004, second)).toBeGreaterThan(0.999)
  expect(levelOf(second)).toBeCloseTo(0, 1)
})

test('ringback is 440 and 480 Hz for 2 s, then 4 s of silence', () => {
  const ring = ringbackLoop.subarray(0, 16_000)
  expect(shareAt(440, ring)).toBeCloseTo(0.5, 2)
  expect(shareAt(480, ring)).toBeCloseTo(0.5, 2)
  expect(levelOf(ring)).toBeCloseTo(-16, 1)
  expect(levelOf(ringbackLoop.subarray(16_000))).toBe(silenceDbm0)
  expect(ringbackLoop).toHaveLength(48_000)
})

test('the tone of a key is its two frequencies for 160 ms, at a bearable level', () => {
  const rows = [697, 770, 852, 941]
  const columns = [1209, 1336, 1477]
  const keypad = '123456789*0#'
  for (const digit of digits) {
    const place = keypad.indexOf(digit)
    const tone = Buffer.concat(digitTone(digit))
    expect(tone).toHaveLength(1280)
    expect(shareAt(rows[Math.floor(place / 3)] ?? 0, tone)).toBeGreaterThan(0.4)
    expect(shareAt(columns[place % 3] ?? 0, tone)).toBeGreaterThan(0.4)
    expect(levelOf(tone)).toBeCloseTo(-7, 0)
  }
})

test('Opus is counted, and has no level, for it is not decoded', () => {
  const meter = new StreamMeter()
  expect(meter.observe()).toEqual({ packets: 0, level: { rms: 0, dbm0: silenceDbm0 } })
  meter.add('opus', Buffer.alloc(40, 1))
  expect(meter.observe()).toEqual({ packets: 1, level: null })
  meter.add('pcmu', milliwattLoop)
  expect(meter.observe()).toMatchObject({ packets: 2, level: { dbm0: expect.closeTo(0, 0) } })
})

test('samples played once end with a frame filled up by silence', () => {
  const source = once(Buffer.alloc(200, 0x10))
  expect(source.next()).toEqual(Buffer.alloc(160, 0x10))
  expect(source.next()).toEqual(Buffer.concat([Buffer.alloc(40, 0x10), Buffer.alloc(120, 0xff)]))
  expect(source.next()).toBeUndefined()
})

test('an echo comes back 300 ms later, and stays that late when more is heard than played', () => {
  const source = echo()
  const numbered = (value: number) => Buffer.alloc(160, value)
  for (let frame = 0; frame < 14; frame++) {
    source.receive(numbered(frame))
    expect(source.next()).toEqual(silentFrame)
  }
  source.receive(numbered(14))
  expect(source.next()).toEqual(numbered(0))
  for (let frame = 0; frame < 60; frame++) source.receive(numbered(100 + frame))
  const next = source.next()?.[0] ?? 0
  expect(next).toBeGreaterThanOrEqual(100 + 60 - 50)
})

test('a player plays its sources in order, reports when they are over, and continues with silence', () => {
  const player = new Player()
  const done: string[] = []
  player.play([once(Buffer.alloc(160, 1)), once(Buffer.alloc(160, 2))], () => done.push('done'))
  player.add(once(Buffer.alloc(160, 3)))
  expect([1, 2, 3].map(() => player.next()[0])).toEqual([1, 2, 3])
  expect(done).toEqual([])
  expect(player.next()).toEqual(silentFrame)
  expect(player.next()).toEqual(silentFrame)
  expect(done).toEqual(['done'])
})

test('the next source replaces the one that plays, and its ending', () => {
  const player = new Player()
  let ended = false
  player.play([once(Buffer.alloc(320, 1))], () => {
    ended = true
  })
  player.next()
  player.play([once(Buffer.alloc(160, 2))])
  expect(player.next()[0]).toBe(2)
  player.next()
  expect(ended).toBe(false)
})

test.each(spokenLanguages)('every clip of %s can be heard, and all of them stay under 260 KB', language => {
  for (const name of clipNames) expect(levelOf(clip(name, language)), name).toBeGreaterThan(-30)
  const octets = clipNames.reduce((sum, name) => sum + clip(name, language).length, 0)
  expect(octets).toBeLessThan(260_000)
})
