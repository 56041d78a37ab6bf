// @module-tag slow
import { expect, test } from 'vitest'
import { callAtOnce, callOneAfterTheOther } from './endurance.ts'

test('calls that are over leave no descriptor behind and next to no memory', async () => {
  const { early, late } = await callOneAfterTheOther(25, 10)
  expect(late.descriptors).toBeLessThanOrEqual(early.descriptors)
  expect(late.heapBytes - early.heapBytes).toBeLessThan(4 * 1024 ** 2)
})

test('twenty calls at once all hear their tone', async () => {
  const heard = await callAtOnce(20, 2000)
  // 50 packets a second each; a machine that is busy with other tests loses some, and none goes without.
  for (const packets of heard) expect(packets).toBeGreaterThan(20)
})
