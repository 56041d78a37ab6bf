import { test } from 'vitest'
import { expectNarrowStatements } from '#support/plans/assert.ts'

test('nor after 10 million calls, 47,000 of them live', () =>
  expectNarrowStatements({ accounts: 500_000, calls: 10_000_000, liveCalls: 47_000 }))
