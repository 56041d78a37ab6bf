import { expect, test } from 'vitest'
import { minutesText } from './count.ts'

test.each([
  [1, '1 minute'],
  [2.5, '2.5 minutes'],
  [999, '999 minutes'],
  [1250, '1,250 minutes'],
  [220_000, '220,000 minutes'],
])('%f minutes read %s', (minutes, text) => {
  expect(minutesText(minutes)).toBe(text)
})
