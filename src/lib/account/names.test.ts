import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { maxNameLength, personName } from './account.ts'
import { cleanName, cleanNotes } from './names.ts'

describe('a name', () => {
  test.each([
    ['  Mum  ', 'Mum'],
    ['Dr\tWeber,\n\n Köln', 'Dr Weber, Köln'],
    ['Zoe\u0308', 'Zoë'],
    ['\u202eevil\u202c \u2067name', 'evil name'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d🚀', '👩\u200d🚀'],
    ['a\ud83d', 'a\ufffd'],
    ['Jean\u00a0\u2003Luc', 'Jean Luc'],
    ['=cmd', '=cmd'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
  ])('%j is kept as %j', (text, name) => {
    expect(cleanName(text)).toBe(name)
  })

  test.each(['', '   ', '\u00a0\u3000', '\u200d\u200c', '\u200f', '\u115f', '\u0301', '\u202e'])(
    '%j is no name at all',
    text => {
      expect(cleanName(text)).toBe('')
    },
  )

  test('cleaned once is clean', () => {
    for (const text of [' a \u202e b ', 'Zoe\u0308\u00ad', '\u200b x\u2028y '])
      expect(cleanName(cleanName(text))).toBe(cleanName(text))
  })
})

describe("somebody's own name", () => {
  const take = (name: string) => z.safeParse(personName, name)

  test('is taken clean, and an empty one takes it away', () => {
    expect(take('  Zoe\u0308  \u202eBerg ')).toMatchObject({ success: true, data: 'Zoë Berg' })
    expect(take(' \u200d ')).toMatchObject({ success: true, data: '' })
  })

  test('has 80 characters at most, as people count smileys and not as computers do', () => {
    expect(take('😀'.repeat(maxNameLength)).success).toBe(true)
    for (const name of ['😀'.repeat(maxNameLength + 1), 'a'.repeat(10_000)]) {
      const refused = take(name)
      expect(refused.error?.issues[0]?.message).toBe('Use at most 80 characters.')
    }
  })

  test('whatever is typed, what is taken is one line, of good length, and clean already', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({
        unit: fc.constantFrom('a', ' ', '\u202e', '\u2066', '\u200d', '\u0301', '\n', '\u2028', '\ud83d'),
        maxLength: 100,
      }),
    )
    fc.assert(
      fc.property(text, typed => {
        const taken = take(typed)
        if (!taken.success) return expect([...cleanName(typed)].length > maxNameLength).toBe(true)
        const name = taken.data
        expect(name).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]|\s{2}|^\s|\s$/u)
        expect([...name].length).toBeLessThanOrEqual(maxNameLength)
        expect(name.isWellFormed()).toBe(true)
        expect(take(name)).toMatchObject({ success: true, data: name })
      }),
    )
  })
})

test.each([
  [' Rings twice.\r\nThen waits. ', 'Rings twice.\nThen waits.'],
  ['\u202eturned\u2069', 'turned'],
  ['a\u0007b\tc', 'ab\tc'],
  ['\u200d \n', ''],
])('notes keep their lines and lose what is not text: %j', (text, notes) => {
  expect(cleanNotes(text)).toBe(notes)
})
