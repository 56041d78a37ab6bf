import { test } from 'vitest'
import { checkModel, checkTogether } from '#support/money-runs.ts'

test('whatever happens to a customer in whatever order, the books say what a page of arithmetic says', async () => {
  await checkModel({ numRuns: 6, seed: 42 })
})

test('charges, top-ups, refunds and disputes at once leave nothing out and nothing below zero', async () => {
  await checkTogether({ numRuns: 6, seed: 31 })
})
