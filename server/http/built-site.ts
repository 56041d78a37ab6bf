import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the server must know of the built site besides its files. */
export interface BuiltSite {
  /** Sources for `script-src` and `style-src`: hashes of the pages' inline code. */
  scriptHashes(): string
  styleHashes(): string
  /** The file of a page's clean address, `/call` to `/call.html`; other addresses unchanged. */
  rewrite(url: string): string
}

interface Contents {
  /** Of the file the build writes last; undefined where there is no site. */
  readonly builtAtMs: number | undefined
  readonly scripts: string
  readonly styles: string
  readonly pages: ReadonlySet<string>
}

/** How long a look at the disk holds. */
const freshMs = 500

/** Follows the directory: a build under a running server changes the hashes together with the pages. */
export function watchBuiltSite(directory: string, monotonicMs: () => number): BuiltSite {
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let contents: Contents | undefined
  const current = (): Contents => {
    const now = monotonicMs()
    if (contents !== undefined && now - lookedAtMs < freshMs) return contents
    lookedAtMs = now
    const builtAtMs = readBuildTime(directory)
    if (contents === undefined || contents.builtAtMs !== builtAtMs) contents = read(directory, builtAtMs)
    return contents
  }
  return {
    scriptHashes: () => current().scripts,
    styleHashes: () => current().styles,
    rewrite: url => {
      const end = url.search(/[?#]/)
      const path = end === -1 ? url : url.slice(0, end)
      return current().pages.has(path) ? `${path}.html${url.slice(path.length)}` : url
    },
  }
}

const hashFile = (directory: string) => join(directory, '.server', 'csp.json')

function readBuildTime(directory: string): number | undefined {
  return statSync(hashFile(directory), { throwIfNoEntry: false })?.mtimeMs
}

function read(directory: string, builtAtMs: number | undefined): Contents {
  const pages = new Set(globSync('**/*.html', { cwd: directory }).map(file => `/${file.slice(0, -5)}`))
  if (builtAtMs === undefined) return { builtAtMs, scripts: '', styles: '', pages }
  const hashes = JSON.parse(readFileSync(hashFile(directory), 'utf8')) as {
    readonly scripts: readonly string[]
    readonly styles: readonly string[]
  }
  return { builtAtMs, scripts: hashes.scripts.join(' '), styles: hashes.styles.join(' '), pages }
}
