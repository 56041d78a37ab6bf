import { expect, test } from 'vitest'
import { clip } from '#server/telephony/exchange/media/clips.ts'
import { decodeMulaw } from '#server/telephony/exchange/media/mulaw.ts'
import { createSpeechMeasure } from '#support/speech-measure.ts'

const linear = (mulaw: Buffer) => Int16Array.from(mulaw, decodeMulaw)
const menu = linear(clip('menu'))
const measure = createSpeechMeasure(menu)
const fourSeconds = 32_000
/** From the sixth second of the menu on, into its beginning. */
const late = Int16Array.from({ length: fourSeconds }, (_, index) => menu[(index + 48_007) % menu.length] ?? 0)
const rms = Math.sqrt(late.reduce((sum, sample) => sum + sample ** 2, 0) / late.length)

/** The same numbers in every run, evenly from -0.5 to 0.5. */
function chance(): () => number {
  let state = 1
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
}

/** @param db how much quieter than the speech */
function withNoise(db: number): Int16Array {
  const draw = chance()
  return late.map(sample => sample + draw() * Math.sqrt(12) * rms * 10 ** (-db / 20))
}

/** Without this share of its packets of 20 ms. */
function withLoss(share: number): Int16Array {
  const draw = chance()
  const lost = Array.from({ length: late.length / 160 }, () => draw() + 0.5 < share)
  return late.map((sample, index) => (lost[Math.floor(index / 160)] ? 0 : sample))
}

test('speech is like itself, however late and quiet', () => {
  expect(measure(late.map(sample => sample / 8))).toBeGreaterThan(0.95)
})

test('a jitter buffer that changes its delay impairs little', () => {
  const jumping = Int16Array.from(
    { length: fourSeconds },
    (_, index) => menu[index < 16_000 ? index : index + 480] ?? 0,
  )
  expect(measure(jumping)).toBeGreaterThan(0.95)
})

test('the more packets are lost, the lower', () => {
  const [some, many] = [measure(withLoss(0.1)), measure(withLoss(0.3))]
  expect(some).toBeLessThan(0.96)
  expect(many).toBeLessThan(some - 0.1)
})

test('the more noise, the lower', () => {
  const [little, much] = [measure(withNoise(20)), measure(withNoise(0))]
  expect(little).toBeLessThan(0.85)
  expect(much).toBeLessThan(little - 0.3)
})

test.each([
  ['other speech', linear(clip('menu', 'es')).subarray(0, fourSeconds), 0.3],
  ['a tone', Int16Array.from(late, (_, index) => 8000 * Math.sin(index * 0.7)), 0.15],
  ['silence', new Int16Array(fourSeconds), 0.001],
])('%s is not like it', (_, heard, max) => {
  expect(measure(heard)).toBeLessThan(max)
})
