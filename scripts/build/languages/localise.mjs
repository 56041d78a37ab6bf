import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sourceLanguage } from '../../../src/lib/i18n/language.ts'
import { splitPath } from '../../../src/lib/i18n/path.ts'
import { fillMarks, hasMarks } from './texts-plugin.mjs'

const scriptFolder = '_astro'
/** The slash makes the search much faster. */
const scriptAddress = /\/[\w.-]+\.js\b/g

/**
 * Puts messages in the place of their marks (`texts-plugin.mjs`) in the scripts of a site as Astro built it. Every script with a
 * message, and every script that names such a script, gets a copy for each language. Scripts without texts are shared.
 * @param {string} site
 * @param {import('./catalogues.mjs').Language[]} languages English first
 * @returns {Promise<(name: string, html: string) => string>} does the same in a page: it names the copies of its language
 */
export async function localiseScripts(site, languages) {
  const folder = join(site, scriptFolder)
  const paths = globSync('*.js', { cwd: folder })
  const scripts = new Map(
    await Promise.all(paths.map(async name => [name, await readFile(join(folder, name), 'utf8')])),
  )
  const withTexts = scriptsWithTexts(scripts)
  const namesIn = new Map(languages.map(language => [language.tag, copyNames(withTexts, language)]))
  for (const language of languages) {
    const names = namesIn.get(language.tag)
    const written = [...withTexts].map(name =>
      writeFile(join(folder, names.get(name) ?? name), localised(scripts.get(name), language, names)),
    )
    await Promise.all(written)
  }
  const tags = languages.map(({ tag }) => tag)
  return (name, html) => {
    const { language: tag } = splitPath(`/${name}`, tags)
    const language = languages.find(each => each.tag === tag)
    return localised(html, language, namesIn.get(tag))
  }
}

/** The scripts that hold a mark, or name one that does. */
function scriptsWithTexts(scripts) {
  const withTexts = new Set([...scripts.keys()].filter(name => hasMarks(scripts.get(name))))
  let known = -1
  while (known !== withTexts.size) {
    known = withTexts.size
    for (const [name, code] of scripts)
      if (scriptNamesIn(code).some(other => other !== name && withTexts.has(other))) withTexts.add(name)
  }
  return withTexts
}

/** English keeps the names that the bundler gave; another language adds its tag and a hash of its messages. */
function copyNames(withTexts, { tag, scopes }) {
  if (tag === sourceLanguage) return new Map()
  const hash = createHash('sha256').update(JSON.stringify(scopes)).digest('base64url').slice(0, 6)
  return new Map([...withTexts].map(name => [name, name.replace(/\.js$/, `.${tag}-${hash}.js`)]))
}

const copyOfLanguage = /\.[a-z]{2}[\w-]*-[\w-]{6}\.js$/

/** Whether a script's name, without its folder, is that of a copy for another language than English. */
export function isLocalisedScript(name) {
  return copyOfLanguage.test(name)
}

/** The name of the script that this one may be a language's copy of. */
export function sourceOfCopy(name) {
  return name.replace(copyOfLanguage, '.js')
}

function localised(text, { tag, scopes }, names) {
  const filled = hasMarks(text)
    ? fillMarks(text, tag, (scope, key) => {
        const message = scopes[scope]?.[key]
        if (message === undefined) throw new Error(`src/languages/${tag}/${scope}.json has no ${key}`)
        return message
      })
    : text
  return filled.replace(scriptAddress, address => {
    const copy = names.get(address.slice(1))
    return copy === undefined ? address : `/${copy}`
  })
}

function scriptNamesIn(code) {
  return code.match(scriptAddress)?.map(address => address.slice(1)) ?? []
}
