import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { sourceLanguage } from '../../../src/lib/i18n/language.ts'
import { splitPath } from '../../../src/lib/i18n/path.ts'
import { fillMarks, hasMarks } from './texts-plugin.mjs'

const scriptFolder = '_astro'
const scriptName = /[\w.-]+\.js\b/g

/**
 * Puts messages in the place of their marks (`texts-plugin.mjs`) in a site as Astro built it. Every script with a message, and
 * every script that names such a script, gets a copy for each language; the language's pages name the copies. Scripts without
 * texts are shared.
 * @param {string} site
 * @param {import('./catalogues.mjs').Language[]} languages English first
 */
export async function localiseSite(site, languages) {
  const files = (await readdir(site, { recursive: true })).map(name => name.split(sep).join('/'))
  const folder = join(site, scriptFolder)
  const paths = files.filter(name => name.startsWith(`${scriptFolder}/`) && name.endsWith('.js'))
  const scripts = new Map(
    await Promise.all(paths.map(async path => [basename(path), await readFile(join(site, path), 'utf8')])),
  )
  const withTexts = scriptsWithTexts(scripts)
  const tags = languages.map(({ tag }) => tag)
  const namesIn = new Map(languages.map(language => [language.tag, copyNames(withTexts, language)]))
  await Promise.all(
    languages.flatMap(language =>
      [...withTexts].map(async name => {
        const names = namesIn.get(language.tag)
        const copy = localised(scripts.get(name), language, names)
        await writeFile(join(folder, names.get(name) ?? name), copy)
      }),
    ),
  )
  await Promise.all(
    files
      .filter(name => name.endsWith('.html'))
      .map(async name => {
        const { language: tag } = splitPath(`/${name}`, tags)
        const language = languages.find(each => each.tag === tag)
        const html = await readFile(join(site, name), 'utf8')
        const page = localised(html, language, namesIn.get(language.tag))
        if (page !== html) await writeFile(join(site, name), page)
      }),
  )
}

/** The scripts that hold a mark, or name one that does. */
function scriptsWithTexts(scripts) {
  const withTexts = new Set([...scripts.keys()].filter(name => hasMarks(scripts.get(name))))
  let known = -1
  while (known !== withTexts.size) {
    known = withTexts.size
    for (const [name, code] of scripts)
      if (code.match(scriptName)?.some(other => other !== name && withTexts.has(other))) withTexts.add(name)
  }
  return withTexts
}

/** English keeps the names that the bundler gave; another language adds its tag and a hash of its messages. */
function copyNames(withTexts, { tag, scopes }) {
  if (tag === sourceLanguage) return new Map()
  const hash = createHash('sha256').update(JSON.stringify(scopes)).digest('base64url').slice(0, 6)
  return new Map([...withTexts].map(name => [name, name.replace(/\.js$/, `.${tag}-${hash}.js`)]))
}

/** Whether a script's name, without its folder, is that of a copy for another language than English. */
export function isLocalisedScript(name) {
  return /\.[a-z]{2}[\w-]*-[\w-]{6}\.js$/.test(name)
}

function localised(text, { tag, scopes }, names) {
  const filled = hasMarks(text)
    ? fillMarks(text, tag, (scope, key) => {
        const message = scopes[scope]?.[key]
        if (message === undefined) throw new Error(`src/languages/${tag}/${scope}.json has no ${key}`)
        return message
      })
    : text
  return filled.replace(scriptName, name => names.get(name) ?? name)
}
