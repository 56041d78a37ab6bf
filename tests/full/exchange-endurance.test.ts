import { expect, test } from 'vitest'
import { callAtOnce, callHandsets, callOneAfterTheOther } from '../server/telephony/exchange/endurance.ts'

test('a thousand calls one after the other leave no descriptor behind, and no memory but their diagnostics', async () => {
  const { early, late } = await callOneAfterTheOther(1000, 100)
  console.log(
    `1000 calls: ${early.descriptors} to ${late.descriptors} descriptors, ` +
      `${(early.heapBytes / 1024 ** 2).toFixed(1)} to ${(late.heapBytes / 1024 ** 2).toFixed(1)} MiB`,
  )
  expect(late.descriptors).toBeLessThanOrEqual(early.descriptors)
  // Ended calls are remembered for ten minutes: about 1 KB each.
  expect(late.heapBytes - early.heapBytes).toBeLessThan(4 * 1024 ** 2)
})

test('twenty calls at once get their 50 packets a second for ten seconds', async () => {
  for (const packets of await callAtOnce(20, 10_000)) expect(packets).toBeGreaterThan(450)
})

test('among a thousand calls to handsets, four at once, none is answered and silent', async () => {
  expect(await callHandsets(1000, 4)).toBe(0)
})
