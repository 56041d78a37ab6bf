import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultRetryPolicy } from '#server/payment-provider/stripe/ask.ts'
import { stopTimes } from '#server/process/stop-times.ts'

const secondsIn = (file: string, pattern: RegExp) =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, seconds]) => Number(seconds) * 1000)

test('a stop that goes well is over before it counts as a fault, and that before anybody kills', () => {
  const { drain, asking, answering, jobs, work, longest } = stopTimes
  expect(asking).toBeLessThan(answering)
  expect(jobs).toBeLessThan(work)
  expect(defaultRetryPolicy.wholeMs).toBeLessThan(Math.min(work, answering))
  // What is closed besides takes a moment each.
  expect(drain + Math.max(answering, work) + 10_000).toBeLessThan(longest)
  const killers = [
    ...secondsIn('deploy/systemd/farline@.service', /^TimeoutStopSec=(\d+)$/gm),
    ...secondsIn('deploy/compose.yaml', /stop_grace_period: (\d+)s$/gm),
  ]
  expect(killers.length).toBeGreaterThan(1)
  for (const killer of killers) expect(killer).toBeGreaterThan(longest)
})
