import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compileMessage } from '../../../src/lib/i18n/compile.ts'
import { sourceLanguage } from '../../../src/lib/i18n/language.ts'
import { memoised } from '../../../src/lib/memoised.ts'

/** Each language is compared with the same English messages. */
const placeholdersInEnglish = memoised(text => compileMessage(text, 'f', sourceLanguage).placeholders)

/**
 * What is wrong with a language's messages, a line each: a message that is missing, that no text in English asks for, that has other
 * placeholders, or that lacks a plural form of its language (CLDR, by `Intl`).
 * @param {import('./catalogues.mjs').Language} language
 * @returns {string[]}
 */
export function faultsOf({ tag, scopes }, english) {
  const faults = []
  for (const scope of new Set([...Object.keys(english.scopes), ...Object.keys(scopes)])) {
    const theirs = scopes[scope] ?? {}
    const ours = english.scopes[scope] ?? {}
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const fault = faultOf(tag, theirs[key], ours[key])
      if (fault !== undefined) faults.push(`src/languages/${tag}/${scope}.json: ${key}: ${fault}`)
    }
  }
  return faults
}

function faultOf(tag, text, english) {
  if (text === undefined) return 'is missing'
  if (english === undefined) return 'is used nowhere'
  try {
    const { placeholders, plurals } = compileMessage(text, 'f', tag)
    const expected = placeholdersInEnglish(english)
    if (placeholders.join() !== expected.join())
      return `has the placeholders [${placeholders.join(', ')}], not [${expected.join(', ')}]`
    for (const { ordinal, categories } of plurals) {
      const needed = categoriesOf(tag, ordinal)
      const missing = needed.filter(category => !categories.includes(category))
      if (missing.length > 0) return `lacks the plural form ${missing.join(' and ')}`
      const unknown = categories.filter(category => !needed.includes(category))
      if (unknown.length > 0)
        return `has the plural form ${unknown.join(' and ')}, which its language does not use`
    }
  } catch (error) {
    return error.message
  }
}

function categoriesOf(tag, ordinal) {
  return new Intl.PluralRules(tag, { type: ordinal ? 'ordinal' : 'cardinal' }).resolvedOptions()
    .pluralCategories
}

/**
 * Texts that nothing reads, a line each. A text is read as `text.key`; a file that reads `text[…]` or
 * `textsIn(text, …)` reads them all.
 * @param {{ file: string, name: string, english: object }[]} definitions
 * @param {Map<string, string>} sources code by path, relative to the root
 * @returns {string[]}
 */
export function unusedTexts(definitions, sources) {
  return definitions.flatMap(({ file, name, english }) => {
    const readers = [...sources].filter(([path, code]) => path !== file && importsOf(path, code).has(file))
    const code = readers.map(([, each]) => each).join('\n')
    if (new RegExp(`\\b${name}\\[|(?:\\.{3}|\\btextsIn\\()${name}\\b`).test(code)) return []
    return Object.keys(english)
      .filter(key => !new RegExp(`\\b${name}\\.${key}\\b`).test(code))
      .map(key => `${file}: ${key}: is used nowhere`)
  })
}

const aliases = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).imports

function importsOf(path, code) {
  const files = new Set()
  for (const [, specifier] of code.matchAll(/from '([^']*texts\.ts)'/g)) {
    const alias = specifier.startsWith('#') && aliases[`${specifier.split('/')[0]}/*`]
    files.add(
      alias
        ? join(alias.replace('*', specifier.slice(specifier.indexOf('/') + 1)))
        : join(dirname(path), specifier),
    )
  }
  return files
}
