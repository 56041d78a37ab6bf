import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathIn, splitPath } from '#lib/i18n/path.ts'

export interface BuiltSite {
  /** When the last build ended; undefined without a site. */
  builtAtMs(): number | undefined
  /** The address that the pages name, without a trailing slash; undefined if it is not known. */
  builtFor(): string | undefined
  /** Hashes of a page's inline code as CSP sources, after `rewrite`; those of `notFoundPage` if there is none. */
  hashes(kind: 'scripts' | 'styles', url: string): string
  /** The not-found page of the address's language, English without one: `es/404.html`. */
  notFoundPage(url: string): string
  /** `/call` to `/call.html`. Removes the secret after `/reset-password/`, which only the page's script may read. */
  rewrite(url: string): string
}

interface Contents {
  /** Of the file that the build writes last; undefined without a site. */
  readonly builtAtMs: number | undefined
  readonly builtFor: string | undefined
  readonly hashes: ReadonlyMap<string, PageHashes>
  readonly pages: ReadonlySet<string>
  /** Those that have a not-found page, besides English. */
  readonly languages: readonly string[]
}

interface PageHashes {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

const notFoundPage = '/404'

/** One page for all password reset links of a language: `/reset-password/…`, `/es/reset-password/…`. */
const resetLink = /^((?:\/[\w-]+)?\/reset-password)\//

/** How long a check of the disk stays valid. */
const freshMs = 500

/** Watches the directory: a build under a running server changes hashes and pages together. */
export function watchBuiltSite(directory: string, monotonicMs: () => number): BuiltSite {
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let contents: Contents | undefined
  const current = (): Contents => {
    const now = monotonicMs()
    if (contents !== undefined && now - lookedAtMs < freshMs) return contents
    lookedAtMs = now
    const builtAtMs = statSync(hashFile(directory), { throwIfNoEntry: false })?.mtimeMs
    if (contents === undefined || contents.builtAtMs !== builtAtMs) contents = read(directory, builtAtMs)
    return contents
  }
  const notFoundRoute = (url: string) =>
    pathIn(splitPath(pathOf(url), current().languages).language, notFoundPage)
  return {
    builtAtMs: () => current().builtAtMs,
    builtFor: () => current().builtFor,
    notFoundPage: url => `${notFoundRoute(url).slice(1)}.html`,
    hashes: (kind, url) => {
      const { hashes } = current()
      const route = pathOf(url).replace(/\.html$/, '')
      const page = hashes.get(route === '/index' ? '/' : route) ?? hashes.get(notFoundRoute(url))
      return page?.[kind].join(' ') ?? ''
    },
    rewrite: url => {
      const path = pathOf(url)
      const [, resetRoute] = resetLink.exec(path) ?? []
      if (resetRoute !== undefined) return current().pages.has(resetRoute) ? `${resetRoute}.html` : resetRoute
      return current().pages.has(path) ? `${path}.html${url.slice(path.length)}` : url
    },
  }
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

const hashFile = (directory: string) => join(directory, '.server', 'csp.json')

function read(directory: string, builtAtMs: number | undefined): Contents {
  const pages = new Set(globSync('**/*.html', { cwd: directory }).map(file => `/${file.slice(0, -5)}`))
  const languages = globSync(`*${notFoundPage}.html`, { cwd: directory }).map(dirname)
  if (builtAtMs === undefined) return { builtAtMs, builtFor: undefined, hashes: new Map(), pages, languages }
  const hashes = JSON.parse(readFileSync(hashFile(directory), 'utf8')) as Record<string, PageHashes>
  return {
    builtAtMs,
    builtFor: readBuiltFor(directory),
    hashes: new Map(Object.entries(hashes)),
    pages,
    languages,
  }
}

/** Undefined where an older build did not say it. */
function readBuiltFor(directory: string): string | undefined {
  const stamp = join(directory, '.server', 'build.json')
  if (!existsSync(stamp)) return undefined
  return (JSON.parse(readFileSync(stamp, 'utf8')) as { readonly publicUrl?: string }).publicUrl
}
