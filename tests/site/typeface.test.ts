import { readFileSync } from 'node:fs'
import { openSync } from 'fontkit'
import { expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { listedCountries } from '#lib/numbers/countries.ts'
import { languages } from '#support/languages.ts'

const css = readFileSync('src/styles/base.css', 'utf8')

/** The files of the typeface, with the ranges of characters for which browsers fetch them. */
const faces = [...css.matchAll(/url\(\/(fonts\/[\w-]+\.woff2)\)[^}]*unicode-range: ([^;]+);/g)].map(
  ([, file = '', ranges = '']) => {
    const font = openSync(`public/${file}`)
    if ('fonts' in font) throw new Error(`${file} holds several fonts`)
    const bounds = ranges.split(', ').map(range =>
      range
        .slice(2)
        .split('-')
        .map(hex => Number.parseInt(hex, 16)),
    )
    const isFetchedFor = (code: number) => bounds.some(([from = 0, to = from]) => from <= code && code <= to)
    return { font, isFetchedFor }
  },
)

/** The letters and quotation marks of a language. */
function lettersOf({ tag, scopes }: (typeof languages)[number]): readonly string[] {
  renderIn(tag)
  const names = listedCountries().map(({ name }) => name)
  renderIn(sourceLanguage)
  const texts = [...Object.values(scopes).flatMap(scope => Object.values(scope)), ...names].join('')
  return [...new Set(texts.normalize('NFC').match(/[\p{L}\p{Pi}\p{Pf}\p{Ps}]/gu) ?? [])]
}

const latin = languages.filter(({ tag }) => new Intl.Locale(tag).maximize().script === 'Latn')

test.each(latin.map(language => [language.tag, language] as const))(
  'the typeface has every letter of %s, and browsers fetch the file that has it',
  (_, language) => {
    const missing = lettersOf(language).filter(letter => {
      const code = letter.codePointAt(0) ?? 0
      return !faces.some(({ font, isFetchedFor }) => isFetchedFor(code) && font.hasGlyphForCodePoint(code))
    })
    expect(missing).toEqual([])
  },
)

test('no file is fetched for the letters of scripts that it lacks', () => {
  expect(faces).toHaveLength(2)
  const fetched = languages
    .flatMap(lettersOf)
    .filter(letter => /[^\p{sc=Latn}\p{P}]/u.test(letter))
    .filter(letter => faces.some(({ isFetchedFor }) => isFetchedFor(letter.codePointAt(0) ?? 0)))
  expect(fetched).toEqual([])
})
