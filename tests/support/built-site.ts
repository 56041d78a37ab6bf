import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { splitPath } from '#lib/i18n/path.ts'
import { readLanguages } from '#scripts/build/languages/catalogues.mjs'
import { isUntranslated } from '../../src/layouts/untranslated.ts'

const root = join(import.meta.dirname, '..', '..')

export const siteDirectory = join(root, 'dist')

/** Every page of the current sources by its route. Builds the site first if it is out of date. */
export function readBuiltSite(): ReadonlyMap<string, string> {
  const build = spawnSync(process.execPath, ['scripts/build.mjs', '--if-changed'], { cwd: root })
  if (build.status !== 0) throw new Error(`the site does not build: ${build.stderr}`)
  const { routes } = JSON.parse(readFileSync(join(siteDirectory, '.server/build.json'), 'utf8'))
  return new Map(
    Object.entries<string>(routes).map(([route, file]) => [
      route,
      readFileSync(join(siteDirectory, file), 'utf8'),
    ]),
  )
}

const tags = readLanguages().map(({ tag }) => tag)

/** A page's language, and its route in English. */
export function placeOf(route: string): ReturnType<typeof splitPath> {
  return splitPath(route, tags)
}

/** True for a page of another language whose text is English: search engines are told of the English page alone. */
export function isCopy(route: string): boolean {
  const { language, route: inEnglish } = placeOf(route)
  return language !== sourceLanguage && isUntranslated(inEnglish)
}

/** Scripts that a browser executes on a page: inline scripts as text, files by URL. */
export function scriptsOf(html: string): readonly string[] {
  const active = html.replace(/<template\b.*?<\/template>/gs, '')
  return [...active.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)]
    .filter(([, tag]) => !/type="application\/ld\+json"/.test(tag ?? ''))
    .map(([, tag, content]) => /src="([^"]*)"/.exec(tag ?? '')?.[1] ?? content ?? '')
}

export function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(match => match[1] ?? '')
}
