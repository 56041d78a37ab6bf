import { expect, test, vi } from 'vitest'
import { createMediaWatch } from './media-watch.ts'

function watch(samples: readonly number[], before: 'lost' | 'never lost' = 'lost'): number {
  const onBack = vi.fn<() => void>()
  const media = createMediaWatch(onBack)
  if (before === 'lost') media.lost()
  for (const packets of samples) media.sample(packets)
  return onBack.mock.calls.length
}

test('sound that flows again for three seconds is back, once', () => {
  expect(watch([0, 0, 50, 50])).toBe(0)
  expect(watch([0, 0, 50, 50, 50, 50, 50, 50, 50])).toBe(1)
})

test('stragglers and gaps are not the sound coming back', () => {
  expect(watch([3, 3, 3, 3])).toBe(0)
  expect(watch([50, 50, 0, 50, 50, 0])).toBe(0)
})

test('nothing comes back that was not lost, or that the client has seen come back', () => {
  expect(watch([50, 50, 50, 50], 'never lost')).toBe(0)
  const onBack = vi.fn<() => void>()
  const media = createMediaWatch(onBack)
  media.lost()
  media.sample(50)
  media.back()
  for (const packets of [50, 50, 50, 50]) media.sample(packets)
  expect(onBack).not.toHaveBeenCalled()
})

test('losing it again while it is watched does not start over', () => {
  const onBack = vi.fn<() => void>()
  const media = createMediaWatch(onBack)
  media.lost()
  media.sample(50)
  media.lost()
  media.sample(50)
  media.sample(50)
  expect(onBack).toHaveBeenCalledOnce()
})
