import { currentLanguage } from '#lib/i18n/language.ts'
import { splitPath } from '#lib/i18n/path.ts'

/** Names of the page files. `?raw` keeps the pages themselves out of the importer's module graph. */
const pageFiles = Object.keys(import.meta.glob('../pages/**/*.astro', { query: '?raw' }))

/** The route of a page file: `../pages/call.astro` is `/call`, `../pages/index.astro` is `/`. */
function routeOfFile(file: string): string {
  return normalised(file.replace('../pages', '').replace(/\.astro$/, ''))
}

function normalised(path: string): string {
  return path.replace(/\.html$/, '').replace(/(?:^|\/)index$/, '') || '/'
}

const matchers = pageFiles.map(file => {
  const pattern = routeOfFile(file)
    .split('/')
    .map(part => part.replace(/^\[\.\.\..+\]$/, '.*').replace(/^\[.+\]$/, '[^/]+'))
    .join('/')
  return new RegExp(`^${pattern}$`)
})

/** The route of a page in any language from `Astro.url.pathname`, which ends in `.html` during a build. */
export function routeOf(pathname: string): string {
  return splitPath(normalised(pathname), [currentLanguage()]).route
}

/** True if a link leads to a page of this build. Hash and query are ignored. */
export function hasPage(href: string): boolean {
  const route = href.replace(/[?#].*$/, '')
  return matchers.some(matcher => matcher.test(route))
}
