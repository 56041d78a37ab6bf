import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
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
export function readLanguages(root = projectRoot) {
  return globSync(`${folder}/*/language.json`, { cwd: root })
    .sort()
    .map(file => {
      const tag = basename(dirname(file))
      const files = globSync(`${folder}/${tag}/*.json`, { cwd: root }).filter(each => each !== file)
      const scopes = files.sort().map(each => [basename(each, '.json'), readJson(join(root, each))])
      return { tag, ...readJson(join(root, file)), scopes: Object.fromEntries(scopes) }
    })
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path}: ${error.message}`)
  }
}

/** @returns {string[]} the files that define texts, relative to the root */
export function textFiles(root = projectRoot) {
  return globSync('{src,server}/**/{texts,*-texts}.ts', { cwd: root })
    .filter(file => readFileSync(join(root, file), 'utf8').includes("i18n/messages.ts'"))
    .sort()
}

/**
 * The texts that a file exports.
 * @returns {Promise<{ name: string, scope: string, english: Readonly<Record<string, string>> }[]>}
 */
export async function definitionsIn(file, root = projectRoot) {
  const url = pathToFileURL(resolve(root, file))
  // A file that changed while the development server runs is read again.
  url.searchParams.set('changed', String(statSync(url).mtimeMs))
  const { definitionOf } = await import('../../../src/lib/i18n/messages.ts')
  const exported = Object.entries(await import(url.href))
  return exported.flatMap(([name, texts]) => {
    const definition = definitionOf(texts)
    return definition === undefined ? [] : [{ name, ...definition }]
  })
}

/** All messages in English, in the form of a language. */
export async function readEnglish(root = projectRoot) {
  const all = await Promise.all(textFiles(root).map(file => definitionsIn(file, root)))
  return { tag: 'en', scopes: Object.fromEntries(all.flat().map(({ scope, english }) => [scope, english])) }
}
