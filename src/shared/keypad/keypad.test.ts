import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createKeyPress, longPressMs } from './key-press.ts'
import { isShortcut } from './key-stroke.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const finger = { button: 0, isPrimary: true }
const pointerClick = 1
const keyboardClick = 0

function keypad() {
  const heard: string[] = []
  const keys = createKeyPress({
    onKey: key => heard.push(key),
    onHold: key => {
      if (key === '0') heard.push('+')
      return key === '0'
    },
  })
  return { keys, heard }
}
const long = () => vi.advanceTimersByTime(longPressMs)

describe('a key of the keypad', () => {
  test('counts once when clicked', () => {
    const { keys, heard } = keypad()
    keys.down('0', finger)
    keys.up()
    keys.leave()
    keys.click('0', pointerClick)
    long()
    expect(heard).toEqual(['0'])
  })

  test('counts as itself for those who press slowly', () => {
    const { keys, heard } = keypad()
    keys.down('0', finger)
    vi.advanceTimersByTime(400)
    keys.up()
    keys.click('0', pointerClick)
    expect(heard).toEqual(['0'])
  })

  test('held down gives its second sign and no click besides, by mouse and by finger', () => {
    const { keys, heard } = keypad()
    keys.down('0', finger)
    long()
    keys.up()
    keys.click('0', pointerClick)
    keys.down('0', finger)
    long()
    keys.up()
    keys.leave()
    keys.click('0', pointerClick)
    expect(heard).toEqual(['+', '+'])
  })

  test('without a second sign is an ordinary key however long it is held', () => {
    const { keys, heard } = keypad()
    keys.down('5', finger)
    long()
    keys.up()
    keys.click('5', pointerClick)
    expect(heard).toEqual(['5'])
  })

  test('counts after a long press elsewhere that ended off its key', () => {
    const { keys, heard } = keypad()
    keys.down('0', finger)
    long()
    keys.leave()
    keys.click('7', keyboardClick)
    keys.down('8', finger)
    keys.up()
    keys.click('8', pointerClick)
    expect(heard).toEqual(['+', '7', '8'])
  })

  test('counts by keyboard though the click of a long press never came', () => {
    const { keys, heard } = keypad()
    keys.down('0', finger)
    long()
    keys.up()
    keys.click('3', keyboardClick)
    expect(heard).toEqual(['+', '3'])
  })

  test('is not held down by a pointer that was taken away, nor by another button', () => {
    const { keys, heard } = keypad()
    keys.down('0', finger)
    keys.leave()
    long()
    keys.down('0', { button: 2, isPrimary: true })
    long()
    keys.down('0', { button: 0, isPrimary: false })
    long()
    expect(heard).toEqual([])
  })
})

describe('a key typed anywhere on the page', () => {
  const stroke = (key: string, ...held: readonly ('Control' | 'Meta' | 'Alt' | 'AltGraph')[]) => ({
    key,
    ctrlKey: held.includes('Control'),
    metaKey: held.includes('Meta'),
    altKey: held.includes('Alt'),
    getModifierState: (name: string) => held.some(one => one === name),
  })

  test('is the browser’s with Ctrl, Cmd or Alt: to zoom, or to change tabs', () => {
    expect(isShortcut(stroke('0', 'Control'))).toBe(true)
    expect(isShortcut(stroke('+', 'Control'))).toBe(true)
    expect(isShortcut(stroke('1', 'Meta'))).toBe(true)
    expect(isShortcut(stroke('1', 'Alt'))).toBe(true)
    expect(isShortcut(stroke('Backspace', 'Alt'))).toBe(true)
    expect(isShortcut(stroke('e', 'Control', 'Alt', 'AltGraph'))).toBe(true)
  })

  test('is a sign of its own without them, and where the keyboard needs Alt or AltGr for it', () => {
    for (const key of ['5', '#', '+', 'Enter']) expect(isShortcut(stroke(key))).toBe(false)
    expect(isShortcut(stroke('#', 'Alt'))).toBe(false)
    expect(isShortcut(stroke('#', 'AltGraph'))).toBe(false)
    expect(isShortcut(stroke('#', 'Control', 'Alt', 'AltGraph'))).toBe(false)
  })
})
