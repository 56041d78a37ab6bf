import { expect, test } from 'vitest'
import { exampleRecord } from '#support/example-call.ts'
import { groupByDay } from './day-groups.ts'

const at = (...parts: [number, number, number, number, number]) => {
  const [year, month, day, hour, minute] = parts
  const placedAt = new Date(year, month, day, hour, minute).toISOString()
  return { ...exampleRecord, id: placedAt, placedAt }
}

test('calls are grouped by the day of the reader, the newest first', () => {
  const now = new Date(2026, 10, 24, 0, 10)
  const calls = [
    at(2026, 10, 24, 0, 5),
    at(2026, 10, 23, 23, 59),
    at(2026, 10, 23, 0, 0),
    at(2026, 10, 22, 12, 0),
    at(2025, 10, 22, 12, 0),
  ]
  expect(groupByDay(calls, now).map(({ heading, calls: { length } }) => [heading, length])).toEqual([
    ['Today', 1],
    ['Yesterday', 2],
    ['Sunday 22 November', 1],
    ['Saturday 22 November 2025', 1],
  ])
  expect(groupByDay([], now)).toEqual([])
})
