import { expect, test } from 'vitest'
import type { AudioPacket } from '#server/telephony/exchange/media/audio-packet.ts'
import { OutgoingStream } from '#server/telephony/exchange/media/outgoing-stream.ts'

function opus(sequenceNumber: number, timestamp: number, marker = false): AudioPacket {
  return { codec: 'opus', payload: Buffer.alloc(10), sequenceNumber, timestamp, marker }
}

const stream = (sequenceNumber = 99, timestamp = 840) => new OutgoingStream({ sequenceNumber, timestamp })

test('our own frames follow one another, 160 samples for every 20 ms that passed', () => {
  const out = stream()
  expect(out.own(7)).toEqual({ sequenceNumber: 100, timestamp: 1000, marker: true })
  expect(out.own(8)).toEqual({ sequenceNumber: 101, timestamp: 1160, marker: false })
  expect(out.own(11)).toEqual({ sequenceNumber: 102, timestamp: 1640, marker: false })
})

test('relayed packets keep their distances, losses and markers', () => {
  const out = stream()
  out.own(1)
  expect(out.relayed(opus(5000, 70_000), 2)).toEqual({ sequenceNumber: 101, timestamp: 1960, marker: true })
  expect(out.relayed(opus(5001, 70_960), 3)).toEqual({ sequenceNumber: 102, timestamp: 2920, marker: false })
  expect(out.relayed(opus(5004, 73_840, true), 6)).toEqual({
    sequenceNumber: 105,
    timestamp: 5800,
    marker: true,
  })
})

test('packets that arrive out of order leave so, and what follows continues after the newest', () => {
  const out = stream()
  out.relayed(opus(10, 0), 1)
  const newest = out.relayed(opus(12, 1920), 2)
  const late = out.relayed(opus(11, 960), 2)
  expect((newest?.sequenceNumber ?? 0) - (late?.sequenceNumber ?? 0)).toBe(1)
  expect(out.own(3).sequenceNumber).toBe((newest?.sequenceNumber ?? 0) + 1)
})

test('a packet from before the run is dropped: its number is taken', () => {
  const out = stream()
  out.own(1)
  out.relayed(opus(10, 9600), 2)
  expect(out.relayed(opus(9, 8640), 2)).toBeUndefined()
})

test('a tone between relayed packets takes the numbers that follow, in the clock of mu-law', () => {
  const out = stream()
  out.relayed(opus(10, 0), 1)
  expect(out.own(2)).toEqual({ sequenceNumber: 101, timestamp: 840 + 960 + 160, marker: true })
  expect(out.own(3).timestamp).toBe(840 + 960 + 320)
  expect(out.relayed(opus(13, 2880), 4)).toEqual({
    sequenceNumber: 103,
    timestamp: 840 + 960 + 320 + 960,
    marker: true,
  })
})

test('numbers wrap around, on either side', () => {
  const out = stream(65_535, 2 ** 32 - 160)
  expect(out.own(1)).toMatchObject({ sequenceNumber: 0, timestamp: 0 })
  out.relayed(opus(65_535, 2 ** 32 - 960), 2)
  expect(out.relayed(opus(0, 0), 3)).toMatchObject({ sequenceNumber: 2, timestamp: 1920 })
})

test('an hour of relayed sound without a break loses no packet', () => {
  const stream = new OutgoingStream({ sequenceNumber: 0, timestamp: 0 })
  for (let count = 0; count < 180_000; count += 1) {
    const sent = stream.relayed(
      {
        codec: 'opus',
        payload: Buffer.alloc(1),
        sequenceNumber: count & 0xffff,
        timestamp: (count * 960) >>> 0,
        marker: false,
      },
      count,
    )
    if (sent?.sequenceNumber !== ((count + 1) & 0xffff)) throw new Error(`packet ${count} was lost`)
  }
})
