import { globSync } from 'node:fs'
import { projectRoot } from '../../fingerprint.mjs'

/** Pages for operators, developers and machines: in English alone. */
const englishOnly = /^\/(?:ops|dev|api)(?:\/|$)/

/**
 * The pages of other languages, as routes for Astro: each page file also answers at `/<tag>/…`, and so does
 * the manifest of the installed app.
 * @param {{ tag: string }[]} languages
 */
export function localisedPages(languages) {
  const files = globSync('src/pages/{**/*.astro,site.webmanifest.ts}', { cwd: projectRoot })
  return languages.flatMap(({ tag }) =>
    files.flatMap(file => {
      const route = file
        .slice('src/pages'.length)
        .replace(/\.(?:astro|ts)$/, '')
        .replace(/\/index$/, '')
      if (englishOnly.test(route)) return []
      return [{ pattern: `/${tag}${route}`, entrypoint: file, prerender: true }]
    }),
  )
}
