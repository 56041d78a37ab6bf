import { test } from 'vitest'
import { expectNarrowStatements } from '#support/plans/assert.ts'

test('no statement that is made often reads more than what it is about', { timeout: 180_000 }, () =>
  expectNarrowStatements({ accounts: 5000, calls: 50_000, liveCalls: 3000 }),
)
