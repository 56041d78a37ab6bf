import { beforeEach, expect, test } from 'vitest'
import { demoLine } from '#server/telephony/exchange/endpoints/demo-line.ts'
import type { EndpointCall, EndpointControl } from '#server/telephony/exchange/endpoints/endpoint.ts'
import { LineTimers } from '#server/telephony/exchange/line-timers.ts'
import type { AudioPacket } from '#server/telephony/exchange/media/audio-packet.ts'
import { type ClipName, clip, clipNames } from '#server/telephony/exchange/media/clips.ts'
import { LevelMeter, silenceDbm0 } from '#server/telephony/exchange/media/level-meter.ts'
import { Player } from '#server/telephony/exchange/media/player.ts'
import { lineOf } from '#server/telephony/exchange/test-numbers.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { shareAt } from './goertzel.ts'

let player: Player
let events: string[]
let line: EndpointCall
let clock: ReturnType<typeof createStoppedClock>
let timers: LineTimers

beforeEach(() => {
  player = new Player()
  events = []
  clock = createStoppedClock()
  timers = new LineTimers(clock)
  line = demoLine('en').answerWith(control)
})

const control: EndpointControl = {
  call: { callId: 'call-1', from: '+442079460000' },
  codecs: () => ['pcmu'],
  startRelay: () => events.push('relay'),
  reportLoss: () => events.push('loss'),
  relay: () => events.push('relayed'),
  sound: digit => events.push(`sound ${digit}`),
  ring: () => events.push('ring'),
  answer: () => events.push('answer'),
  hangUp: end => events.push(end),
  play: (sources, whenDone) => player.play(sources, whenDone),
  add: source => player.add(source),
  cutAudio: () => events.push('cut'),
  after: (ms, action) => timers.add(ms, action),
}

function packetOf(payload: Buffer): AudioPacket {
  return { codec: 'pcmu', payload, sequenceNumber: 0, timestamp: 0, marker: false }
}

function pass(ms: number): void {
  clock.advance(ms)
  while (timers.nextDueAtMs <= clock.monotonicMs()) timers.runNext()
}

/** The tones in this many frames of 20 ms. */
function rememberAudio(frames: number): Buffer {
  return Buffer.concat(Array.from({ length: frames }, () => player.next()))
}

/** The clips spoken from now until silence, in order. */
function heardClips(language = 'en'): ClipName[] {
  const names: ClipName[] = []
  for (let rest = rememberAudio(1000); ; ) {
    const name = clipNames.find(one => rest.indexOf(clip(one, language)) === 0)
    if (name === undefined) return names
    names.push(name)
    rest = rest.subarray(Math.ceil(clip(name, language).length / 160) * 160)
  }
}

function answered(): void {
  line.connected?.()
  pass(2000)
}

function press(...digits: Parameters<NonNullable<EndpointCall['digit']>>): void {
  line.digit?.(...digits)
}

test('rings at once and answers after one ring of 2 s', () => {
  expect(events).toEqual(['ring'])
  line.connected?.()
  expect(shareAt(440, rememberAudio(50))).toBeGreaterThan(0.4)
  pass(1999)
  expect(events).toEqual(['ring'])
  pass(1)
  expect(events).toEqual(['ring', 'answer'])
})

test('greets and reads the menu after the answer', () => {
  answered()
  expect(heardClips()).toEqual(['greeting', 'menu'])
})

test('1 speaks back each digit that follows, in order', () => {
  answered()
  press('1')
  for (const digit of ['2', '3', '0', '9'] as const) press(digit)
  expect(heardClips()).toEqual(['2', '3', '0', '9'])
})

test('2 gives back the voice of the caller', () => {
  answered()
  press('2')
  const voice = Buffer.alloc(160, 0x21)
  for (let frame = 0; frame < 20; frame++) line.audio?.(packetOf(voice))
  expect(player.next()).toEqual(voice)
})

test('does not give back what was said before the echo was asked for', () => {
  answered()
  for (let frame = 0; frame < 20; frame++) line.audio?.(packetOf(Buffer.alloc(160, 0x21)))
  press('2')
  expect(player.next()).toEqual(Buffer.alloc(160, 0xff))
})

test('3 plays 1004 Hz until something else is chosen', () => {
  answered()
  press('3')
  const tone = rememberAudio(50)
  expect(shareAt(1004, tone)).toBeGreaterThan(0.99)
  const meter = new LevelMeter()
  meter.add(tone)
  expect(meter.level().dbm0).toBeCloseTo(-16, 0)
})

test('* returns to the menu from everywhere, and is spoken among the digits', () => {
  answered()
  press('3')
  press('*')
  expect(heardClips()).toEqual(['menu'])
  press('1')
  press('7')
  press('*')
  expect(heardClips()).toEqual(['star', 'menu'])
})

test('# says goodbye and hangs up from everywhere, and is spoken among the digits', () => {
  answered()
  press('1')
  press('#')
  expect(heardClips()).toEqual(['pound', 'goodbye'])
  expect(events.at(-1)).toBe('callee_hung_up')
})

test('does not hang up before the goodbye was heard', () => {
  answered()
  press('#')
  rememberAudio(10)
  expect(events.at(-1)).toBe('answer')
  press('*')
  expect(heardClips()).toHaveLength(0)
  expect(events.at(-1)).toBe('callee_hung_up')
})

test('digits that are not in the menu change nothing', () => {
  answered()
  heardClips()
  press('8')
  const meter = new LevelMeter()
  meter.add(rememberAudio(10))
  expect(meter.level().dbm0).toBe(silenceDbm0)
})

test.each([
  ['+34912345678', 'es', 'Spain'],
  ['+525512345678', 'es', 'Mexico'],
  ['+18092345678', 'es', 'the Dominican Republic, beside the United States'],
  ['+33123456789', 'fr', 'France'],
  ['+2252721234567', 'fr', 'the Ivory Coast'],
  ['+551123456789', 'pt-BR', 'Brazil'],
  ['+48221234567', 'pl', 'Poland'],
  ['+12025550123', 'en', 'the United States'],
  ['+81312345678', 'en', 'Japan, whose language has no clips'],
  ['+919812345678', 'en', 'India, whose language has no clips'],
])('%s hears everything in %s: %s', (number, language) => {
  line = lineOf(number).answerWith(control)
  answered()
  expect(heardClips(language)).toEqual(['greeting', 'menu'])
  press('1')
  press('7')
  press('#')
  expect(heardClips(language)).toEqual(['pound', 'goodbye'])
})
