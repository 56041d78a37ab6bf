import { expect, test } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift'
import { TelephoneEvents } from '#server/telephony/exchange/media/telephone-events.ts'

interface Event {
  readonly at: number
  readonly code: number
  readonly duration: number
  readonly isOver?: boolean
}

/** @returns the keys that are reported for these packets */
function keysOf(events: readonly Event[]): string {
  const keys: string[] = []
  const listener = new TelephoneEvents(digit => keys.push(digit))
  for (const { at, code, duration, isOver = false } of events) {
    const payload = Buffer.from([code, isOver ? 0x8a : 0x0a, duration >> 8, duration & 0xff])
    listener.receive(new RtpPacket(new RtpHeader({ payloadType: 101, timestamp: at }), payload))
  }
  return keys.join('')
}

test('a key is reported once, however often its packets come', () => {
  const key = [160, 320, 480].map(duration => ({ at: 1000, code: 7, duration }))
  expect(keysOf([...key, { at: 1000, code: 7, duration: 480, isOver: true }])).toBe('7')
})

test('the same key pressed twice counts twice', () => {
  const press = (at: number) => [
    { at, code: 7, duration: 160 },
    { at, code: 7, duration: 800, isOver: true },
  ]
  expect(keysOf([...press(1000), ...press(1800)])).toBe('77')
})

test('a key held for longer than its duration can say goes on in segments', () => {
  const first = 2 ** 32 - 1000
  expect(
    keysOf([
      { at: first, code: 5, duration: 0xffff },
      { at: (first + 0xffff) % 2 ** 32, code: 5, duration: 160 },
    ]),
  ).toBe('5')
})

test('another key is a new one even if the end of the first was lost', () => {
  expect(
    keysOf([
      { at: 1000, code: 1, duration: 800 },
      { at: 1800, code: 2, duration: 160 },
    ]),
  ).toBe('12')
})

test('a payload that is too short is no key', () => {
  const keys: string[] = []
  const listener = new TelephoneEvents(digit => keys.push(digit))
  listener.receive(new RtpPacket(new RtpHeader({ payloadType: 101, timestamp: 1 }), Buffer.from([5])))
  expect(keys).toEqual([])
})
