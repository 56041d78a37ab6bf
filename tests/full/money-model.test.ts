import { test } from 'vitest'
import { checkModel, checkTogether } from '#support/money-runs.ts'

/** Each on a database of its own: checking a ledger of thousands takes longer with each of them. */
const runsOnOne = 50
const seeds = (databases: number) => Array.from({ length: databases }, (_, index) => index + 1)

test('2,000 stories of a customer, with a database that fails anywhere, agree with the model', async () => {
  for (const seed of seeds(40)) await checkModel({ numRuns: runsOnOne, seed })
})

test('after 1,000 storms of charges, top-ups, refunds and disputes at once the ledger is right', async () => {
  for (const seed of seeds(20)) await checkTogether({ numRuns: runsOnOne, seed })
})
