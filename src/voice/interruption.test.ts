import { expect, test } from 'vitest'
import { type SoundLook, uninterrupted, watchInterruption } from './interruption.ts'

const fine: SoundLook = { microphone: 'live', playing: true, visible: true }
const ended: SoundLook = { ...fine, microphone: 'ended' }
const muted: SoundLook = { ...fine, microphone: 'muted' }
const paused: SoundLook = { ...fine, playing: false }

/** What is done and notified in so many looks, two a second, by their times in seconds. */
function watch(looks: readonly SoundLook[]): { reopened: number[]; notified: number[] } {
  let state = uninterrupted
  const [reopened, notified]: [number[], number[]] = [[], []]
  looks.forEach((look, index) => {
    const mended = watchInterruption(state, look, index * 500)
    state = mended.next
    if (mended.reopen) reopened.push(index / 2)
    if (state.notified) notified.push(index / 2)
  })
  return { reopened, notified }
}
const lasting = (look: SoundLook, seconds: number) => Array<SoundLook>(seconds * 2).fill(look)

test('sound that flows needs nothing', () => {
  expect(watch(lasting(fine, 10))).toEqual({ reopened: [], notified: [] })
})

test('an ended microphone is reopened twice, and no more: a browser may ask each time', () => {
  expect(watch([fine, ...lasting(ended, 20)])).toEqual({ reopened: [1.5, 2.5], notified: [] })
})

test.each([
  ['muted', muted],
  ['without a speaker', paused],
])('the caller is notified within 3 s of being %s, until it is over, and nothing is reopened', (_, look) => {
  expect(watch([fine, ...lasting(look, 4), fine])).toEqual({ reopened: [], notified: [2, 2.5, 3, 3.5, 4] })
  expect(watch([...lasting(look, 1.5), fine, ...lasting(look, 1.5)])).toEqual({ reopened: [], notified: [] })
})

test('a page that comes to the front starts over, and one that goes behind does not', () => {
  const behind = { ...ended, visible: false }
  expect(watch([...lasting(behind, 10), ...lasting(ended, 10)]).reopened).toEqual([1, 2, 11, 12])
  expect(watch([...lasting({ ...muted, visible: false }, 3), muted]).notified).toEqual([1.5, 2, 2.5])
})
