import { expect, test } from 'vitest'
import { freeMinutesText } from './destinations.ts'

test.each([
  [[5, 5], 'A first call to any of these is free for 5 minutes.'],
  [[1, 1], 'A first call to any of these is free for 1 minute.'],
  [[5, 1, 2], 'A first call to these is free for 1 to 5 minutes.'],
  [[0, 5], 'A first call to some of these is free, for up to 5 minutes.'],
  [[1, 0], 'A first call to some of these is free, for up to 1 minute.'],
  [[0, 0], "The free first call doesn't cover any of these."],
])('how long a first call to several countries is free: %j', (freeMinutes, text) => {
  expect(freeMinutesText(freeMinutes)).toBe(text)
})
