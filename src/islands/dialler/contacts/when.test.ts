import { expect, test } from 'vitest'
import { whenCalled } from './when.ts'

const now = new Date(2026, 10, 20, 0, 30)

test.each([
  ['half an hour ago, after midnight', new Date(2026, 10, 20, 0, 0), /^Today, /],
  ['an hour ago, before midnight', new Date(2026, 10, 19, 23, 30), /^Yesterday, /],
  ['within the week', new Date(2026, 10, 14, 12, 0), /^Saturday, /],
  ['a week ago, on the same day of the week', new Date(2026, 10, 13, 12, 0), /^(?!Friday)(?!.*2026).*13.*, /],
  ['in another year', new Date(2025, 11, 31, 12, 0), /2025/],
  ['by a clock that runs ahead of this one', new Date(2026, 10, 21, 12, 0), /21/],
])('a call is listed by the day it was made: %s', (_, time, label) => {
  expect(whenCalled(time, now)).toMatch(label)
})
