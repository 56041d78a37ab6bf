import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'

// Last changes of pages, for the sitemap: the date in the front matter, else of the last commit, never of the build.

/** Files that a page depends on besides its own; paths relative to the project. */
const sources: readonly (readonly [route: RegExp, files: readonly string[]])[] = [
  [/^\/$/, ['src/pages/index.astro', 'src/components/landing', 'public/tariff.csv']],
  [/^\/destinations$/, ['src/pages/destinations.astro', 'public/tariff.csv']],
  [/^\/calling\//, ['src/pages/calling', 'src/components/calling', 'public/tariff.csv']],
  [/^\/buy-credits$/, ['src/pages/buy-credits.astro', 'src/islands/buy-credits', 'public/tariff.csv']],
  [/^\/rates$/, ['public/tariff.csv']],
  [
    /^\/api\/docs$/,
    ['src/pages/api/docs.astro', 'src/components/api-docs', 'src/lib/api', 'src/lib/openapi'],
  ],
  [/^\/faq$/, ['src/pages/faq.astro', 'src/content/faq']],
]

/** @param route such as `/blog/a-post` @returns undefined without a reliable date: no Git history, or not committed */
export function changedAt(route: string): Date | undefined {
  if (route === '/blog' || route.startsWith('/blog/tags/')) return latest(posts(route).map(writtenDate))
  for (const file of [`blog/${route.replace('/blog/', '')}.md`, `blog/${route.replace('/blog/', '')}.mdx`]) {
    if (existsSync(`src/content/${file}`)) return writtenDate(`src/content/${file}`)
  }
  const text = `src/content/legal${route}.md`
  if (existsSync(text)) return writtenDate(text)
  const [, files = [`src/pages${route}.astro`]] = sources.find(([pattern]) => pattern.test(route)) ?? []
  return committedAt(files)
}

/** Posts of a list page: all, or those with a tag. */
function posts(list: string): readonly string[] {
  const files = globSync('src/content/blog/**/[!_]*.{md,mdx}')
  const tag = list.split('/')[3]
  if (tag === undefined) return files
  const tagged = new RegExp(`^(tags:.*|\\s*-.*)(?<![\\w-])${tag}(?![\\w-])`, 'm')
  return files.filter(file => tagged.test(frontMatter(file)))
}

function latest(dates: readonly (Date | undefined)[]): Date | undefined {
  const known = dates.filter(date => date !== undefined)
  return known.length === 0 ? undefined : new Date(Math.max(...known.map(Number)))
}

/** From the front matter, validated by the schemas in `content.config.ts`; undefined for drafts. */
function writtenDate(file: string): Date | undefined {
  const matter = frontMatter(file)
  const field = (name: string) => new RegExp(`^${name}:\\s*['"]?([^'"\\s]+)`, 'm').exec(matter)?.[1]
  if (field('draft') === 'true') return undefined
  const day = field('updatedAt') ?? field('publishedAt') ?? field('changedAt')
  return day === undefined ? undefined : new Date(day)
}

function frontMatter(file: string): string {
  return /^---\r?\n(.*?)\r?\n---/s.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
}

const commits = new Map<string, Date | undefined>()

/** Undefined in a shallow clone, whose history would give the date of the cut. */
function committedAt(files: readonly string[]): Date | undefined {
  const key = files.join('\0')
  if (!commits.has(key))
    commits.set(key, hasHistory() ? dateOf(git('log', '-1', '--format=%cI', '--', ...files)) : undefined)
  return commits.get(key)
}

let history: boolean | undefined

function hasHistory(): boolean {
  history ??= git('rev-parse', '--is-shallow-repository') === 'false'
  return history
}

function dateOf(text: string | undefined): Date | undefined {
  return text ? new Date(text) : undefined
}

function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
