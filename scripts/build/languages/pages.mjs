import { globSync } from 'node:fs'
import { isEnglishOnly } from '../../../src/layouts/untranslated.ts'
import { projectRoot } from '../../fingerprint.mjs'

/**
 * The pages of other languages, as routes for Astro: each page file also answers at `/<tag>/…`, and so does
 * the manifest of the installed app.
 * @param {{ tag: string }[]} languages
 * @param {string} [root] of the project whose pages they are
 */
export function localisedPages(languages, root = projectRoot) {
  const files = globSync('src/pages/{**/*.astro,site.webmanifest.ts}', { cwd: root })
  return languages.flatMap(({ tag }) =>
    files.flatMap(file => {
      const route = file
        .slice('src/pages'.length)
        .replace(/\.(?:astro|ts)$/, '')
        .replace(/\/index$/, '')
      if (isEnglishOnly(route)) return []
      return [{ pattern: `/${tag}${route}`, entrypoint: file, prerender: true }]
    }),
  )
}
