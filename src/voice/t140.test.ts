import { expect, test } from 'vitest'
import {
  applyText,
  charactersOf,
  eraseLast,
  lineSeparator,
  openLine,
  type TextSide,
  type TypedText,
} from './t140.ts'

const play = (...typed: readonly (readonly [TextSide, string])[]): TypedText =>
  typed.reduce<TypedText>((lines, [side, characters]) => applyText(lines, side, characters), [])
const shownOf = (typed: TypedText) =>
  typed.map(({ side, text, ended }) => `${side}: ${text}${ended ? '⏎' : ''}`)

test('characters of two sides stand in lines of their own, in the order in which these were begun', () => {
  const typed = play(
    ['own', 'Hel'],
    ['theirs', 'Who is'],
    ['own', `lo${lineSeparator}It’s me`],
    ['theirs', ' there?'],
  )
  expect(shownOf(typed)).toEqual(['own: Hello⏎', 'theirs: Who is there?', 'own: It’s me'])
  expect(openLine(typed, 'own')).toBe('It’s me')
  expect(openLine(typed, 'theirs')).toBe('Who is there?')
})

test.each([
  ['one character', `ab${eraseLast}`, ['own: a']],
  ['a character outside the basic plane, as one', `a\u{1F44B}${eraseLast}`, ['own: a']],
  ['a whole line, which then is gone', `ab${eraseLast}${eraseLast}`, []],
  ['a new line, which opens its line again', `ab${lineSeparator}${eraseLast}c`, ['own: abc']],
  ['across an empty line', `a${lineSeparator}${lineSeparator}${eraseLast}${eraseLast}b`, ['own: ab']],
  ['nothing, where nothing was typed', `${eraseLast}${eraseLast}a`, ['own: a']],
])('U+0008 erases %s', (_, characters, lines) => {
  expect(shownOf(play(['own', characters]))).toEqual(lines)
})

test('U+0008 of one side leaves the other side’s text alone', () => {
  expect(shownOf(play(['theirs', 'safe'], ['own', `a${eraseLast}${eraseLast}${eraseLast}`]))).toEqual([
    'theirs: safe',
  ])
})

test.each([lineSeparator, '\n', '\r\n', '\u2029', '\u0085'])('%j is one new line', newLine => {
  expect(shownOf(play(['theirs', `a${newLine}b`]))).toEqual(['theirs: a⏎', 'theirs: b'])
})

test('the mark at the beginning and unknown controls are ignored, lost text is shown', () => {
  expect(shownOf(play(['theirs', '\uFEFF\u0007a\u001b\u0000b\uFFFDc\t']))).toEqual(['theirs: ab\uFFFDc'])
  expect(shownOf(play(['theirs', '\uD83Da']))).toEqual(['theirs: \uFFFDa'])
})

test.each([
  ['typing on', 'Hel', 'Hell', 'l'],
  ['backspace', 'Hell', 'Hel', eraseLast],
  ['a correction in the middle', 'Hallo you', 'Hello you', `${eraseLast.repeat(8)}ello you`],
  ['a new line at the end', 'Hello', 'Hello\n', lineSeparator],
  ['pasted lines', '', 'a\r\nb\rc', `a${lineSeparator}b${lineSeparator}c`],
  ['a tab', '', 'a\tb', 'a b'],
  ['controls, which are left out', '', '\u0007a\uFEFFb\u0008', 'ab'],
  ['an emoji in place of another', '\u{1F44B}', '\u{1F44D}', `${eraseLast}\u{1F44D}`],
  ['nothing', 'same', 'same', ''],
])('a field that changed by %s gives the characters that say so', (_, before, after, characters) => {
  expect(charactersOf(before, after).join('')).toBe(characters)
})

test('whatever is typed into the field, the other side shows the same', () => {
  const edits = ['H', 'Ha', 'H', 'Hello', 'Jello', 'Jello\nagain', 'agaín', 'ag\n\nx', 'x\n', 'é', '']
  let [mine, theirs]: readonly [TypedText, TypedText] = [[], []]
  for (const value of edits) {
    const characters = charactersOf(openLine(mine, 'own'), value)
    mine = applyText(mine, 'own', characters)
    theirs = applyText(theirs, 'theirs', characters)
    expect(openLine(mine, 'own')).toBe(value.split('\n').at(-1))
  }
  expect(theirs.map(({ text }) => text)).toEqual(mine.map(({ text }) => text))
  expect(mine.map(({ text }) => text)).toEqual(['Jello', 'ag', '', 'x'])
})
