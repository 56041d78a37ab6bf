import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { $dial, $paintedDial, $verdict, pressKey, setNumber, verdictNow } from './dial.ts'

let frames: (() => void)[] = []

function paint(): void {
  const due = frames
  frames = []
  for (const frame of due) frame()
  vi.runAllTimers()
}

beforeEach(async () => {
  await loadPhoneRules()
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  setNumber('+44207946095')
  paint()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a digit is in the field at once, and what is said about the number follows its paint', () => {
  pressKey('8')
  expect($dial.get().typed).toBe('+442079460958')
  expect($paintedDial.get().typed).toBe('+44207946095')
  expect($verdict.get()).toMatchObject({ kind: 'impossible' })
  paint()
  expect($paintedDial.get()).toBe($dial.get())
  expect($verdict.get()).toMatchObject({ kind: 'ok', e164: '+442079460958' })
})

test('a press right after the last digit decides by the whole number', () => {
  pressKey('8')
  expect(verdictNow()).toMatchObject({ kind: 'ok', e164: '+442079460958' })
  expect($verdict.get()).toBe(verdictNow())
})
