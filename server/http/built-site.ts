import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface BuiltSite {
  /** Hashes of a page's inline code as CSP sources, after `rewrite`; the not-found page's if there is none. */
  hashes(kind: 'scripts' | 'styles', url: string): string
  /** `/call` to `/call.html`. Removes the secret after `/reset-password/`, which only the page's script may read. */
  rewrite(url: string): string
}

interface Contents {
  /** Of the file that the build writes last; undefined without a site. */
  readonly builtAtMs: number | undefined
  readonly hashes: ReadonlyMap<string, PageHashes>
  readonly pages: ReadonlySet<string>
}

interface PageHashes {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** One page for all password reset links. */
const resetRoute = '/reset-password'
const resetLinks = `${resetRoute}/`

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
  return {
    hashes: (kind, url) => {
      const { hashes } = current()
      const route = pathOf(url).replace(/\.html$/, '')
      const page = hashes.get(route === '/index' ? '/' : route) ?? hashes.get('/404')
      return page?.[kind].join(' ') ?? ''
    },
    rewrite: url => {
      const path = pathOf(url)
      if (path.startsWith(resetLinks))
        return current().pages.has(resetRoute) ? `${resetRoute}.html` : resetRoute
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
  if (builtAtMs === undefined) return { builtAtMs, hashes: new Map(), pages }
  const hashes = JSON.parse(readFileSync(hashFile(directory), 'utf8')) as Record<string, PageHashes>
  return { builtAtMs, hashes: new Map(Object.entries(hashes)), pages }
}
