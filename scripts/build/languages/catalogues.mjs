import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sourceLanguage } from '../../../src/lib/i18n/language.ts'
import { definitionOf } from '../../../src/lib/i18n/messages.ts'
import { projectRoot } from '../../fingerprint.mjs'

const folder = 'src/languages'

/**
 * @typedef {object} Language
 * @property {string} tag BCP 47
 * @property {boolean} reviewed a native speaker has read every text
 * @property {boolean} published
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} scopes messages by scope and key
 */

/**
 * Every language that has a folder, by its tag.
 * @returns {Language[]}
 */
export function readLanguages() {
  return globSync(`${folder}/*/language.json`, { cwd: projectRoot })
    .sort()
    .map(file => {
      const tag = basename(dirname(file))
      const files = globSync(`${folder}/${tag}/*.json`, { cwd: projectRoot }).filter(each => each !== file)
      const scopes = files.sort().map(each => [basename(each, '.json'), readJson(each)])
      return { tag, ...readJson(file), scopes: Object.fromEntries(scopes) }
    })
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, file), 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${error.message}`)
  }
}

/**
 * The texts that a file exports.
 * @typedef {{ file: string, name: string, scope: string, english: Readonly<Record<string, string>> }} TextDefinition
 * @param {string} file relative to the root
 * @returns {Promise<TextDefinition[]>}
 */
export async function definitionsIn(file) {
  const url = pathToFileURL(join(projectRoot, file))
  // A file that changed while the development server runs is read again.
  url.searchParams.set('changed', String(statSync(url).mtimeMs))
  const exported = Object.entries(await import(url.href))
  return exported.flatMap(([name, texts]) => {
    const definition = definitionOf(texts)
    return definition === undefined ? [] : [{ file, name, ...definition }]
  })
}

/** @returns {Promise<TextDefinition[]>} all texts of the project */
export async function allDefinitions() {
  const files = globSync('{src,server}/**/{texts,*-texts}.ts', { cwd: projectRoot })
    .filter(file => definesTexts(readFileSync(join(projectRoot, file), 'utf8')))
    .sort()
  return (await Promise.all(files.map(definitionsIn))).flat()
}

/** Tells files of texts from others of the same name. */
export function definesTexts(code) {
  return code.includes("i18n/messages.ts'")
}

/** All messages in English, in the form of a language. */
export async function readEnglish() {
  const scopes = (await allDefinitions()).map(({ scope, english }) => [scope, english])
  return { tag: sourceLanguage, scopes: Object.fromEntries(scopes) }
}
