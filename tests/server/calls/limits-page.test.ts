import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultCallPolicy, defaultPaymentPolicy } from '#server/config/policy.ts'
import { limitsPage, limitsPagePath } from '#server/limits-page.ts'

test('the page of the limits is what the policy makes it: node server/limits-page.ts', () => {
  expect(readFileSync(limitsPagePath, 'utf8')).toBe(limitsPage(defaultCallPolicy, defaultPaymentPolicy))
})

test('the limits are those of PD-55 to PD-58, the highest rate that of ADR-54', () => {
  const page = limitsPage(defaultCallPolicy, defaultPaymentPolicy)
  for (const row of [
    '| Attempts an hour | 20 | 40 | 60 |',
    '| Answered calls an hour | 2 | 15 | 40 |',
    '| Answered calls a day | 3 | 60 | 150 |',
    '| Calls at once | 1 | 1 | 2 |',
    '| Longest call, minutes | 5 | 60 | 240 |',
    '| Highest rate per minute | $0.50 | $1.00 | $3.60 |',
  ]) {
    expect(page).toContain(row)
  }
})
