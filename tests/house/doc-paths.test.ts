// @vocabulary words: they are words of a language.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const git = (...paths: readonly string[]) =>
  execFileSync('git', ['ls-files', '-z', ...paths], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(file => file !== '' && existsSync(join(root, file)))

const pages = git('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md')
const sources = git('src', 'server', 'tests', 'scripts', 'deploy', 'docs', 'public')
const names = new Set(sources.map(file => basename(file)))

/** Made up in an example, or to be made by a reader. */
const examples = new Set([
  'public/my-referrals.js',
  'src/content/blog/my-post.mdx',
  'src/content/blog/pictures',
])

/** What stands in backticks, word by word; not what stands in blocks of code. */
function quotedIn(text: string): readonly string[] {
  const prose = text.replace(/^ *```.*?^ *```/gms, '')
  return [...prose.matchAll(/`([^`]+)`/g)]
    .flatMap(([, quoted = '']) => quoted.split(/\s+/))
    .map(word => word.replace(/[,;:]$/, '').replace(/\/$/, ''))
}

const isPath = (word: string) => /^(?:src|server|tests|scripts|docs|public|deploy)\//.test(word)

/** `*` stands for any name; `<name>` for one that the reader chooses, in a folder that exists. */
function leadsSomewhere(path: string): boolean {
  if (examples.has(path)) return true
  if (path.includes('<')) return existsSync(join(root, path.slice(0, path.indexOf('<'))))
  return path.includes('*') ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path))
}

/** A file of ours without its folders, or with some of them: it goes stale unnoticed, and several files may bear it. */
function isShortened(word: string): boolean {
  if (isPath(word) || word.startsWith('/') || /[*<:]/.test(word)) return false
  return /\.(?:tsx?|mjs|astro)$/.test(word) && (word.includes('/') || names.has(word))
}

test('distinguishes paths and short names from other words', () => {
  const text = '`src/a.ts` and `b.ts`, `npm run c -- server/d.ts`\n```\n`e.ts`\n```\n`GET /api/calls`'
  expect(quotedIn(text).filter(isPath)).toEqual(['src/a.ts', 'server/d.ts'])
  expect(['routes.test.ts', 'stores/dial.ts', 'calls/meter.ts'].filter(isShortened)).toHaveLength(3)
  expect(['/rates.json', '<name>.test.ts', 'zod/mini', 'socket.io'].filter(isShortened)).toEqual([])
  expect(leadsSomewhere('server/nothing-of-ours.ts')).toBe(false)
})

/** `page: word` for each word of a page that is one of those. */
const wordsThat = (matches: (word: string) => boolean) =>
  pages.flatMap(page =>
    quotedIn(readFileSync(join(root, page), 'utf8'))
      .filter(matches)
      .map(word => `${page}: ${word}`),
  )

test('every path in the documentation leads to a file or a folder', () => {
  expect(wordsThat(isPath).length).toBeGreaterThan(200)
  expect(wordsThat(word => isPath(word) && !leadsSomewhere(word))).toEqual([])
})

test('the documentation names files by their whole paths', () => {
  expect(wordsThat(isShortened)).toEqual([])
})
