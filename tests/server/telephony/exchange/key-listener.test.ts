import { expect, test } from 'vitest'
import { clip, clipNames, digits, spokenLanguages } from '#server/telephony/exchange/media/clips.ts'
import { KeyListener } from '#server/telephony/exchange/media/key-listener.ts'
import { digitTone, milliwattLoop, toneLoop } from '#server/telephony/exchange/media/tones.ts'

const silence = (ms: number) => Buffer.alloc(ms * 8, 0xff)
const tone = (loop: Buffer, ms: number) => Buffer.alloc(ms * 8, loop)

/** The tones in this sound, in steps of 20 ms. */
function heardIn(...parts: readonly Buffer[]): string {
  const sound = Buffer.concat(parts)
  const listener = new KeyListener()
  let heard = ''
  for (let at = 0; at + 160 <= sound.length; at += 160)
    heard += listener.receive(sound.subarray(at, at + 160)) ?? ''
  return heard
}

test.each(digits)('the key %s is heard once, however long it is held', digit => {
  const key = Buffer.concat(digitTone(digit))
  expect(heardIn(silence(100), key, silence(100))).toBe(digit)
  expect(heardIn(key, key, key, silence(100))).toBe(digit)
})

test('hears keys that follow each other one by one, even the same one twice, wherever packets begin', () => {
  const keys = [...'1123#*0'].flatMap(digit => [
    Buffer.concat(digitTone(digit as (typeof digits)[number])),
    silence(100),
  ])
  for (const octets of [0, 37, 80, 123]) expect(heardIn(Buffer.alloc(octets, 0xff), ...keys)).toBe('1123#*0')
})

test('a packet that was lost within a tone does not make two keys of it', () => {
  const [first = silence(20), ...rest] = digitTone('5')
  expect(heardIn(first, ...rest.slice(0, 3), ...rest.slice(4), silence(100))).toBe('5')
})

test('soft keys are heard, and keys with one tone louder than the other', () => {
  expect(heardIn(tone(toneLoop({ frequenciesHz: [770, 1336], dbm0: -30 }), 100))).toBe('5')
  expect(heardIn(tone(toneLoop({ frequenciesHz: [770, 1336], dbm0: -60 }), 100))).toBe('')
})

test('speech, single tones and silence are no keys', () => {
  for (const language of spokenLanguages)
    for (const name of clipNames) expect(heardIn(clip(name, language)), `${language} ${name}`).toBe('')
  for (const hz of [697, 770, 852, 941, 1209, 1336, 1477])
    expect(heardIn(tone(toneLoop({ frequenciesHz: [hz], dbm0: -10 }), 500)), `${hz} Hz`).toBe('')
  expect(heardIn(tone(milliwattLoop, 500), silence(500))).toBe('')
  expect(heardIn(tone(toneLoop({ frequenciesHz: [440, 480], dbm0: -19 }), 500))).toBe('')
})

test('ignores a tone of less than 40 ms', () => {
  expect(heardIn(silence(100), ...digitTone('5').slice(0, 1), silence(100))).toBe('')
})
